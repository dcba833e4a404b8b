/**
 * Takes unfinished tasks to their nodes.
 *
 * Invariants:
 * - A node's tasks are worked on by at most one deployer among all servers (the lock `deploy <node>`).
 * - Within it every unfinished task is under way at most once; tasks of one node run side by side, so that
 *   the agent can gather them into one apply.
 * - A task ends in one transaction, once. A deployer that dies leaves it unfinished, and whoever comes next
 *   does it again; applying the same generation twice is legal.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Events } from "../../db/events.ts";
import type { Locks } from "../../db/locks.ts";
import { deploy, type DeployDeps } from "./deploy.ts";
import { finishTask } from "./finish.ts";
import { nodesWithUnfinished, type TaskRow, unfinishedOnNode } from "./tasks.ts";

export interface DeployerDeps extends DeployDeps {
  readonly events: Events;
  readonly locks: Locks;
  readonly log: Logger;
  /** Told of each task that ended here. */
  readonly onEnded: () => void;
}

export interface Deployer extends AsyncDisposable {
  /** Looks for unfinished tasks on every node and stays attentive. */
  start(): void;
}

/** How often it looks without being told: an event may be lost, another server may have died. */
const lookMs = 5_000;

export function createDeployer(deps: DeployerDeps): Deployer {
  const closing = new AbortController();
  const workers = new Map<string, ReturnType<typeof createWorker>>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  function wake(node: string): void {
    const worker = workers.get(node) ?? createWorker(deps, node, closing.signal);
    workers.set(node, worker);
    worker.wake();
  }

  /** Nodes that left the profile too: what waits there ends when its time is up. */
  function lookEverywhere(): void {
    for (const node of new Set([...deps.agents.nodes, ...workers.keys()])) wake(node);
  }

  async function lookForForgottenNodes(): Promise<void> {
    try {
      for (const node of await nodesWithUnfinished(deps.db)) wake(node);
    } catch (error) {
      deps.log.error({ err: error }, "unfinished deployments could not be looked for");
    }
  }

  return {
    start() {
      deps.events.subscribe("task", ({ node }) => wake(node));
      deps.events.onGap(lookEverywhere);
      timer = setInterval(lookEverywhere, lookMs);
      lookEverywhere();
      looking = lookForForgottenNodes();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      await looking;
      await Promise.all([...workers.values()].map((worker) => worker.idle()));
    },
  };
}

/** After a fault that is ours, before the same task is taken up again. */
const faultPauseMs = 1_000;

/** The work on one node. */
function createWorker(deps: DeployerDeps, node: string, signal: AbortSignal) {
  const underWay = new Map<string, Promise<void>>();
  let round: Promise<void> | null = null;
  let rung = false;
  let bell = Promise.withResolvers<void>();

  function wake(): void {
    rung = true;
    bell.resolve();
    if (!signal.aborted) round ??= beginRound();
  }

  async function beginRound(): Promise<void> {
    let ours = false;
    try {
      ours = await deps.locks.tryExclusive(`deploy ${node}`, workUntilNothingIsLeft);
    } catch (error) {
      logFault("the node's tasks could not be worked on", error);
    } finally {
      round = null;
    }
    if (ours && rung) wake();
  }

  async function workUntilNothingIsLeft(): Promise<void> {
    try {
      do {
        rung = false;
        bell = Promise.withResolvers();
        for (const task of await unfinishedOnNode(deps.db, node)) {
          if (!underWay.has(task.id)) underWay.set(task.id, work(task));
        }
        if (underWay.size > 0) await Promise.race([bell.promise, ...underWay.values()]);
      } while (!signal.aborted && (underWay.size > 0 || rung));
    } finally {
      await Promise.all(underWay.values());
    }
  }

  async function work(task: TaskRow): Promise<void> {
    try {
      const ending = await deploy(deps, task, signal);
      const ended = await finishTask(deps.db, task, ending, deps.clock());
      if (ended) {
        deps.onEnded();
        await deps.events.publish("taskChanged", { asn: task.asn, taskID: task.id });
        deps.log.info({ task: task.id, node, asn: task.asn, kind: task.kind, ...ending }, "deployment ended");
      }
    } catch (error) {
      if (!signal.aborted) {
        logFault("a deployment was interrupted and will be taken up again", error);
        await pause(faultPauseMs, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      underWay.delete(task.id);
    }
  }

  function logFault(message: string, error: unknown): void {
    deps.log.error({ err: error, node }, message);
  }

  return { wake, idle: async () => void (await round) };
}
