/**
 * The live events of the logged-in AS: its tasks and the status of its peerings.
 *
 * Invariants:
 * - The events of a task arrive at each stream in the order in which the task changed, because the server reads tasks in one batch
 *   after the other, each task after the notification of its change. Changes in between are one event.
 * - A stream receives the end of a task once.
 */
import type { Logger } from "pino";
import type { NodeReader } from "../../agents/node-reader.ts";
import type { LoginSessions } from "../../api/login-sessions.ts";
import type { Profile } from "../../config/profile.ts";
import type { Events } from "../../db/events.ts";
import type { Db } from "../../db/open.ts";
import { createJobLoop } from "../../jobs/job-loop.ts";
import type { Nodes } from "../../nodes/nodes.ts";
import { findTasks, presentTask, type TaskRow } from "../peerings/deployment/task-store.ts";
import { createPeeringWatch, type PeeringWatch } from "./peering-watch.ts";
import { createStreams, type Streams } from "./streams.ts";

export interface LiveEventDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "domain">;
  readonly events: Events;
  readonly nodes: Pick<Nodes, "find">;
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
  nodes,
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
    nodes,
    nodeReader,
    clock,
    log,
    everyMs: watchEveryMs,
    subscribedAsns: () => streams.subscribedAsns(),
    isSubscribed: (asn) => streams.isSubscribed(asn),
    send: (asn, node, status) => streams.send(asn, "peering", { node, ...(status && { status }) }),
  });
  /** The changed tasks that have not been read since, by ID; the value says whether the task is new. */
  let changed = new Map<string, boolean>();
  const sending = createJobLoop({
    run: sendChanged,
    onError: (error) => log.error({ err: error }, "sending tasks failed"),
  });

  interface TaskChange {
    readonly asn: string;
    readonly taskID: string;
  }

  function onTaskChange({ asn, taskID }: TaskChange, isNew: boolean): void {
    if (!streams.isSubscribed(asn)) return;
    changed.set(taskID, isNew || changed.get(taskID) === true);
    sending.signal();
  }

  async function sendChanged(): Promise<void> {
    const batch = changed;
    changed = new Map();
    const tasks = await findTasks(db, [...batch.keys()]);
    const byId = new Map(tasks.map((task) => [task.id, task]));
    for (const [id, isNew] of batch) {
      const task = byId.get(id);
      if (task) sendTask(task, isNew);
    }
  }

  function sendTask(task: TaskRow, isNew: boolean): void {
    const { id, asn, node, status } = task;
    const hasFinished = status !== "waiting";
    if (hasFinished) nodeReader.invalidate(node);
    streams.send(asn, "task", presentTask(task), hasFinished ? id : null);
    if (isNew || hasFinished) watch.report(asn, node);
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
      await sending[Symbol.asyncDispose]();
      await watch[Symbol.asyncDispose]();
    },
  };
}
