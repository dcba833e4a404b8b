import { setTimeout as pause } from "node:timers/promises";
import { type ApplyOutcome, noChanges } from "../../../../contract/agent.ts";
import type { Events } from "../../../db/events.ts";
import type { Db } from "../../../db/open.ts";
import { type AgentClient, NodeUnreachableError } from "../../../agents/agent-client.ts";
import { type DesiredPeering, findDesired, bumpGeneration } from "../desired-peerings.ts";
import type { DeploymentResult } from "./finish-task.ts";
import { maxWaitMs, setWaitingReason, type TaskRow } from "./task-store.ts";

export interface DeployDeps {
  readonly db: Db;
  readonly events: Pick<Events, "publish">;
  readonly agents: AgentClient;
  readonly clock: () => number;
}

const attemptTimeoutMs = 45_000;
const firstPauseMs = 500;
const maxPauseMs = 10_000;

/**
 * Sends a task's desired peering to its node and returns the result. Makes at least one attempt, and retries until the task's
 * deadline while the node cannot be reached or responds with an error. A task that is resumed after a restart keeps its
 * deadline. The remaining time is read from the clock once and then measured monotonically.
 *
 * Rejects with the signal's reason when it aborts; the task stays unfinished.
 */
export async function deploy(
  deps: DeployDeps,
  task: TaskRow,
  signal: AbortSignal,
): Promise<DeploymentResult> {
  const remainingMs = Math.min(maxWaitMs, Math.max(0, task.deadline_at - deps.clock()));
  const until = performance.now() + remainingMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    signal.throwIfAborted();
    try {
      const outcome = await apply(deps, task, signal);
      if (outcome.outcome === "applied")
        return { status: "success", steps: outcome.steps.map(presentStep), reason: "" };
      if (outcome.outcome === "refused")
        return { status: "failed", steps: outcome.steps, reason: outcome.reason };
      await bumpTaskGeneration(deps, task);
    } catch (error) {
      if (!(error instanceof NodeUnreachableError)) throw error;
      signal.throwIfAborted();
      const restMs = until - performance.now();
      if (restMs <= 0) return deadlineResult(task, error);
      const noted = await setWaitingReason(deps.db, task.id, `${error.reason} Trying again…`);
      if (noted) await deps.events.publish("taskChanged", { asn: task.asn, taskID: task.id });
      await pause(Math.min(pauseMs, restMs), undefined, { signal });
    }
  }
}

async function apply({ db, agents }: DeployDeps, task: TaskRow, signal: AbortSignal): Promise<ApplyOutcome> {
  const { generation, present, peering } = await requireDesired(db, task);
  const body = { asn: task.asn, generation, desired: present ? peering : null };
  return agents.ask(task.node, "apply", body, { timeoutMs: attemptTimeoutMs, signal });
}

/** The node has applied a newer generation than the database has: takes one above it. */
async function bumpTaskGeneration({ db, agents }: DeployDeps, task: TaskRow): Promise<void> {
  const applied = await agents.ask(task.node, "generations", undefined);
  const newest = applied.find(({ asn }) => asn === task.asn)?.generation ?? 0;
  await bumpGeneration(db, await requireDesired(db, task), newest);
}

async function requireDesired(db: Db, task: TaskRow): Promise<DesiredPeering> {
  const desired = await findDesired(db, task.asn, task.node);
  if (!desired) throw new Error(`task ${task.id} has no desired peering`);
  return desired;
}

/** When a response was lost, the retry finds that the node has already applied the generation. */
function presentStep(step: string): string {
  return step === noChanges ? "The node had already applied this." : step;
}

/** A deletion ends as `failed`, because clients keep polling a deletion in `error` (docs/behaviour.md, section 4). */
function deadlineResult(
  { node, kind, previous }: TaskRow,
  { hasResponded, reason }: NodeUnreachableError,
): DeploymentResult {
  const cause = hasResponded ? reason : `${node} could not be reached in time.`;
  const kept = previous === null ? "Nothing was deployed." : "The previous configuration was kept.";
  return {
    status: kind === "delete" ? "failed" : "error",
    steps: [],
    reason: `${cause} ${kept} Try again when the node is back.`,
  };
}
