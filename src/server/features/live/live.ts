/**
 * What the signed-in AS sees happen while a page is open.
 *
 * Invariant: events of one server's streams about a task are in the order in which the task changed, since
 * tasks are read one after the other, each after the word that it changed.
 */
import type { Logger } from "pino";
import type { Events } from "../../db/events.ts";
import type { Db } from "../../db/open.ts";
import type { Sessions } from "../accounts/sessions.ts";
import { findTask, presentTask } from "../deployments/tasks.ts";
import type { Agents } from "../nodes/agents.ts";
import { createPeeringWatch } from "./peering-watch.ts";
import { createStreams, type Streams } from "./streams.ts";

export interface LiveDeps {
  readonly db: Db;
  readonly events: Events;
  readonly agents: Agents;
  readonly sessions: Pick<Sessions, "isLive">;
  readonly log: Logger;
  /** How often nodes are looked at while somebody listens. */
  readonly watchEveryMs: number;
}

export interface Live extends Pick<Streams, "open">, AsyncDisposable {
  /** Begins to hear and to look. */
  start(): void;
}

export function createLive({ db, events, agents, sessions, log, watchEveryMs }: LiveDeps): Live {
  const streams = createStreams(sessions);
  const watch = createPeeringWatch({
    db,
    agents,
    log,
    everyMs: watchEveryMs,
    listening: () => streams.listening(),
    tell: (asn, node) => streams.tell(asn, "peering", { node }),
  });
  let lastRead: Promise<void> = Promise.resolve();

  function tellTask({ asn, taskID }: { readonly asn: string; readonly taskID: string }): void {
    if (!streams.listening().has(asn)) return;
    lastRead = readAfter(lastRead, asn, taskID);
  }

  async function readAfter(former: Promise<void>, asn: string, taskID: string): Promise<void> {
    await former;
    try {
      const task = await findTask(db, asn, taskID);
      if (task) streams.tell(asn, "task", presentTask(task));
    } catch (error) {
      log.error({ err: error, task: taskID }, "a deployment's change could not be told");
    }
  }

  return {
    open: (stream) => streams.open(stream),
    start() {
      events.subscribe("task", tellTask);
      events.subscribe("taskChanged", tellTask);
      events.subscribe("sessionsEnded", ({ asn }) => streams.recheck(asn));
      events.onGap(() => streams.endAll());
      watch.start();
    },
    async [Symbol.asyncDispose]() {
      await streams[Symbol.asyncDispose]();
      await watch[Symbol.asyncDispose]();
      await lastRead;
    },
  };
}
