/**
 * Deploys unfinished tasks to their nodes.
 *
 * Invariants:
 * - Among all servers at most one deployer works on the tasks of a node (the lock `deploy <node>`).
 * - Within it every unfinished task is in progress at most once. Tasks of one node run concurrently, so that the
 *   agent can batch them into one apply.
 * - A task finishes in one transaction, once. If a deployer crashes, the task stays unfinished and the next deployer
 *   repeats it; applying the same generation twice is legal.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Events } from "#server/db/events.ts";
import type { Locks } from "#server/db/locks.ts";
import { createJobLoop, type JobLoop, type JobRun } from "#server/jobs/job-loop.ts";
import { deploy, type DeployDeps } from "./deploy.ts";
import { finishTask } from "./finish-task.ts";
import { findNodesWithUnfinished, type TaskRow, findUnfinishedOnNode } from "./task-store.ts";

export interface DeployerDeps extends DeployDeps {
  readonly events: Events;
  readonly locks: Locks;
  readonly log: Logger;
  /** Receives each task that this deployer finished. */
  readonly onFinished: (task: TaskRow) => void;
}

export interface Deployer extends AsyncDisposable {
  /** Deploys the unfinished tasks of every node, then waits for new ones. */
  start(): void;
}

/**
 * How often it looks for unfinished tasks: an event may be lost, or another server may have crashed, whose deployments
 * then continue here. One query for all nodes.
 */
const pollMs = 1_000;

export function createDeployer(deps: DeployerDeps): Deployer {
  const loops = new Map<string, JobLoop>();
  let isClosing = false;
  const polling = createJobLoop({
    pollMs,
    run: signalNodesWithTasks,
    onError: (error) => deps.log.error({ err: error }, "finding unfinished deployments failed"),
  });

  /**
   * Signals the loop of a node, and creates it if there is none. The node may have been removed from the profile: its tasks
   * end at their deadline.
   */
  function signal(node: string): void {
    const loop = loops.get(node);
    if (loop) return loop.signal();
    if (isClosing) return;
    const started = createNodeLoop(deps, node);
    loops.set(node, started);
    started.signal();
  }

  async function signalNodesWithTasks(): Promise<void> {
    for (const node of await findNodesWithUnfinished(deps.db)) signal(node);
  }

  return {
    start() {
      deps.events.subscribe("task", ({ node }) => signal(node));
      deps.events.onResync(() => polling.signal());
      polling.start();
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await polling[Symbol.asyncDispose]();
      await Promise.all(Array.from(loops.values(), (loop) => loop[Symbol.asyncDispose]()));
    },
  };
}

/** The pause after an error of the server itself, before it retries the task. */
const errorPauseMs = 1_000;

/** Creates the loop that deploys the tasks of one node. */
function createNodeLoop(deps: DeployerDeps, node: string): JobLoop {
  const inProgress = new Map<string, Promise<void>>();

  /** Starts tasks as they arrive, and returns when none is in progress. */
  async function deployUntilDone({ closing, clearSignals }: JobRun): Promise<void> {
    try {
      do {
        const signalled = clearSignals();
        for (const task of await findUnfinishedOnNode(deps.db, node)) {
          if (!inProgress.has(task.id)) inProgress.set(task.id, deployTask(task, closing));
        }
        if (inProgress.size > 0) await Promise.race([signalled, ...inProgress.values()]);
      } while (!closing.aborted && inProgress.size > 0);
    } finally {
      await Promise.all(inProgress.values());
    }
  }

  async function deployTask(task: TaskRow, closing: AbortSignal): Promise<void> {
    try {
      const result = await deploy(deps, task, closing);
      const hasFinished = await finishTask(deps, task, result);
      if (hasFinished) {
        deps.onFinished(task);
        deps.log.info({ task: task.id, node, asn: task.asn, kind: task.kind, ...result }, "deployment ended");
      }
    } catch (error) {
      if (!closing.aborted) {
        logError("deployment interrupted, retrying", error);
        await pause(errorPauseMs, undefined, { signal: closing }).catch(() => undefined);
      }
    } finally {
      inProgress.delete(task.id);
    }
  }

  function logError(message: string, error: unknown): void {
    deps.log.error({ err: error, node }, message);
  }

  return createJobLoop({
    run: (turn) => deps.locks.tryExclusive(`deploy ${node}`, () => deployUntilDone(turn)),
    onError: (error) => logError("deploying the tasks of a node failed", error),
  });
}
