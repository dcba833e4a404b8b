import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { agentCalls, type ApplyOutcome } from "#contract/agent.ts";
import type { CodedFacts } from "#contract/agent/findings.ts";
import { UnreadableResponseError } from "#contract/client.ts";
import { nodeHost } from "#contract/node-host.ts";
import { type Finding, readAgentFinding } from "#domain/findings/findings.ts";
import type { Step } from "#domain/findings/steps.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Events } from "#server/db/events.ts";
import type { Db } from "#server/db/open.ts";
import type { Sealer } from "#server/db/secrets/sealer.ts";
import { type AgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";
import { type DesiredPeering, findDesired, bumpGeneration } from "../desired-peerings.ts";
import { findConflict } from "../conflicts/find-conflict.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import { readKnownGenerations } from "../conflicts/task-evidence.ts";
import { toAgentPeering } from "../preshared-keys.ts";
import type { DeploymentResult } from "./finish-task.ts";
import { followSteps } from "./follow-steps.ts";
import { sendApply } from "./send-apply.ts";
import {
  acceptedStep,
  countAttempts,
  maxWaitMs,
  setProgress,
  setTaskGeneration,
  type TaskProgress,
  type TaskRow,
} from "./task-store.ts";

export interface DeployDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "domain">;
  readonly events: Pick<Events, "publish">;
  readonly agents: AgentClient;
  readonly sealer: Sealer;
  readonly clock: () => number;
  readonly log: Pick<Logger, "warn">;
}

const attemptTimeoutMs = 45_000;
/** An attempt just before the deadline has this time, so that a node which has come back can still reply. */
const minAttemptTimeoutMs = 10_000;
const faultyAnswer = new UnreadableResponseError(agentCalls.apply.path);
const firstPauseMs = 500;
const maxPauseMs = 10_000;

/**
 * Sends a task's desired peering to its node and returns the result. Makes at least one attempt, and retries until the task's
 * deadline while the node cannot be reached or responds with an error. A task that is resumed after a restart keeps its
 * deadline and its number of attempts. The remaining time is read from the clock once and then measured monotonically. The last attempt ends at most
 * `minAttemptTimeoutMs` after the deadline.
 *
 * Stores and publishes each attempt as a step before it is made, and the node's own steps while it makes the change. The
 * steps of the result are those of the node's response.
 *
 * A deletion on a node that was removed from the profile succeeds without a call: the participant need not keep it.
 *
 * Rejects with the signal's reason when it aborts; the task stays unfinished.
 */
export async function deploy(
  deps: DeployDeps,
  task: TaskRow,
  signal: AbortSignal,
): Promise<DeploymentResult> {
  const remainingMs = Math.min(maxWaitMs, Math.max(0, task.deadline_at - deps.clock()));
  const host = nodeHost(task.node, deps.profile.domain);
  if (task.kind === "delete" && !deps.agents.listNodes().includes(task.node)) {
    const step: Step = { code: "not-called", facts: { host } };
    return { status: "success", steps: [acceptedStep, step], reason: null };
  }
  const until = performance.now() + remainingMs;
  const isOverdue = remainingMs === 0;
  let reason: Finding | null = null;
  let pauseMs = firstPauseMs;
  let wasSuperseded = false;
  for (let attempt = countAttempts(task) + 1; ; attempt += 1) {
    signal.throwIfAborted();
    const steps = [acceptedStep, attemptStep(task, host, attempt)];
    await reportProgress(deps, task, { steps, reason });
    try {
      // Timers of Node.js accept whole milliseconds only.
      const restMs = Math.max(minAttemptTimeoutMs, Math.ceil(until - performance.now()));
      const outcome = await apply(deps, task, {
        timeoutMs: Math.min(attemptTimeoutMs, restMs),
        signal,
        // The node has done a step, so the task has no waiting reason any more.
        onSteps: (done) => reportProgress(deps, task, { steps: [...steps, ...done], reason: null }),
      });
      const allSteps = [...steps, ...outcome.steps];
      const refusal = outcome.reason && readAgentFinding(outcome.reason);
      if (outcome.outcome === "applied") return { status: "success", steps: allSteps, reason: null };
      const conflict = await findTaskConflict(deps, task, outcome, isOverdue);
      if (conflict) {
        const cause = refusal ?? ({ code: "peering-conflict", facts: { host } } as const);
        return { status: "failed", steps: allSteps, reason: cause, conflict };
      }
      if (outcome.outcome === "refused") return { status: "failed", steps: allSteps, reason: refusal };
      // The task has a newer generation now. An agent that finds this one old too is faulty, and must not be called for ever.
      if (wasSuperseded) throw new NodeUnreachableError(task.node, faultyAnswer);
      wasSuperseded = true;
    } catch (error) {
      if (!(error instanceof NodeUnreachableError)) throw error;
      signal.throwIfAborted();
      const restMs = until - performance.now();
      if (restMs <= 0) return deadlineResult(task, host, steps, error);
      reason = error.finding(host);
      await reportProgress(deps, task, { steps, reason });
      await pause(Math.min(pauseMs, restMs), undefined, { signal });
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
  }
}

function attemptStep({ kind }: TaskRow, host: string, attempt: number): Step {
  return { code: "called", facts: { host, isDeletion: kind === "delete", attempt } };
}

async function reportProgress(deps: DeployDeps, task: TaskRow, progress: TaskProgress): Promise<void> {
  const hasChanged = await setProgress(deps.db, task.id, progress);
  if (hasChanged) await deps.events.publish("taskChanged", { asn: task.asn, taskID: task.id });
}

interface Attempt {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onSteps: (steps: readonly CodedFacts[]) => Promise<void>;
}

/** Sends the change once, and follows its steps until the node responds. */
async function apply(
  deps: DeployDeps,
  task: TaskRow,
  { timeoutMs, signal, onSteps }: Attempt,
): Promise<ApplyOutcome> {
  const { asn, node } = task;
  const desired = await requireDesired(deps.db, task);
  const { generation, present } = desired;
  const knownGenerations = await readKnownGenerations(deps.db, asn, node);
  const hasEnded = new AbortController();
  const following = followSteps(
    { asn, node, generation },
    { ...deps, onSteps, signal: AbortSignal.any([signal, hasEnded.signal]) },
  );
  try {
    const request = {
      asn,
      generation,
      desired: present ? toAgentPeering(deps.sealer, desired) : null,
      knownGenerations,
    };
    return await sendApply(deps, node, request, { timeoutMs, signal });
  } finally {
    hasEnded.abort();
    // Steps of this attempt that are still being stored must not replace steps of the next attempt.
    await following;
  }
}

/**
 * Returns the node's version if it did not apply the task because the database is older than the node or is another one;
 * null otherwise. A node that has a deleted peering with a newer generation is no conflict: the task takes a generation
 * above it. That may be wrong for a task from a restored backup, whose deadline has passed: the participant may have
 * deleted the peering since.
 */
async function findTaskConflict(
  { db, agents }: DeployDeps,
  task: TaskRow,
  { outcome, conflict }: ApplyOutcome,
  isOverdue: boolean,
): Promise<DeploymentResult["conflict"] | null> {
  if (outcome === "refused" && conflict !== true) return null;
  const versions = await agents.ask(task.node, "generations", undefined);
  const applied = versions.find(({ asn }) => asn === task.asn);
  const desired = await requireDesired(db, task);
  if (!applied || (outcome === "superseded" && applied.generation <= desired.generation)) return null;
  const before = findPrevious(task);
  const known = { identity: await readDatabaseIdentity(db), isFromTask: false };
  const reason = findConflict(applied, before ?? undefined, known);
  const wouldReturn = outcome === "superseded" && isOverdue && task.kind === "deploy";
  if (reason !== null || wouldReturn) {
    return { asn: task.asn, generation: applied.generation, reason: reason ?? "deleted", peering: null };
  }
  if (outcome === "superseded") {
    const generation = await bumpGeneration(db, desired, applied.generation);
    if (generation !== null) await setTaskGeneration(db, task.id, generation);
  }
  return null;
}

function findPrevious({ previous }: TaskRow): DesiredPeering | null {
  return previous === null ? null : (JSON.parse(previous) as DesiredPeering);
}

async function requireDesired(db: Db, task: TaskRow): Promise<DesiredPeering> {
  const desired = await findDesired(db, task.asn, task.node);
  if (!desired) throw new Error(`task ${task.id} has no desired peering`);
  return desired;
}

/** A deletion ends as `failed`, because clients keep polling a deletion in `error` (docs/behaviour.md, section 4). */
function deadlineResult(
  { kind }: TaskRow,
  host: string,
  steps: readonly CodedFacts[],
  error: NodeUnreachableError,
): DeploymentResult {
  return {
    status: kind === "delete" ? "failed" : "error",
    steps,
    reason:
      error.hasResponded || error.isRemoved
        ? error.finding(host)
        : { code: "node-not-reached", facts: { host } },
  };
}
