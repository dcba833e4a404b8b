/**
 * The live events of the logged-in AS: its tasks and the status of its peerings.
 *
 * Invariant: the events of a task arrive at each stream in the order in which the task changed, because the
 * server reads tasks one after the other, each after the notification of its change.
 */
import type { Logger } from "pino";
import type { NodeReader } from "../../agents/node-reader.ts";
import type { LoginSessions } from "../../api/login-sessions.ts";
import type { Profile } from "../../config/profile.ts";
import type { Events } from "../../db/events.ts";
import type { Db } from "../../db/open.ts";
import { findTask, presentTask } from "../peerings/deployment/task-store.ts";
import { createPeeringWatch, type PeeringWatch } from "./peering-watch.ts";
import { createStreams, type Streams } from "./streams.ts";

export interface LiveEventDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "domain">;
  readonly events: Events;
  readonly nodeReader: NodeReader;
  readonly clock: () => number;
  readonly loginSessions: Pick<LoginSessions, "isLive">;
  readonly log: Logger;
  /** How often the server reads nodes while a subscriber is connected. */
  readonly watchEveryMs: number;
}

export interface LiveEvents
  extends Pick<Streams, "open">, Pick<PeeringWatch, "noteResponse">, AsyncDisposable {
  start(): void;
}

export function createLiveEvents({
  db,
  profile,
  events,
  nodeReader,
  clock,
  loginSessions,
  log,
  watchEveryMs,
}: LiveEventDeps): LiveEvents {
  const streams = createStreams(loginSessions);
  const watch = createPeeringWatch({
    db,
    profile,
    nodeReader,
    clock,
    log,
    everyMs: watchEveryMs,
    subscribedAsns: () => streams.subscribedAsns(),
    send: (asn, node, status) => streams.send(asn, "peering", { node, ...(status && { status }) }),
  });
  let lastRead: Promise<void> = Promise.resolve();

  interface TaskChange {
    readonly asn: string;
    readonly taskID: string;
  }

  function onTaskChange(change: TaskChange, isNew: boolean): void {
    if (!streams.subscribedAsns().has(change.asn)) return;
    lastRead = lastRead
      .then(() => sendTask(change, isNew))
      .catch((error: unknown) => log.error({ err: error, task: change.taskID }, "sending a task failed"));
  }

  async function sendTask({ asn, taskID }: TaskChange, isNew: boolean): Promise<void> {
    const task = await findTask(db, asn, taskID);
    if (!task) return;
    const hasFinished = task.status !== "waiting";
    if (hasFinished) nodeReader.invalidate(task.node);
    streams.send(asn, "task", presentTask(task));
    if (isNew || hasFinished) watch.report(asn, task.node);
  }

  return {
    open: (stream) => streams.open(stream),
    noteResponse: (subject, observed) => watch.noteResponse(subject, observed),
    start() {
      events.subscribe("task", (change) => onTaskChange(change, true));
      events.subscribe("taskChanged", (change) => onTaskChange(change, false));
      events.subscribe("sessionsEnded", ({ asn }) => streams.endExpired(asn));
      events.onResync(() => streams.endAll());
      watch.start();
    },
    async [Symbol.asyncDispose]() {
      await streams[Symbol.asyncDispose]();
      await lastRead;
      await watch[Symbol.asyncDispose]();
    },
  };
}
