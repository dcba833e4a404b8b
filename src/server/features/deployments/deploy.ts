import { setTimeout as pause } from "node:timers/promises";
import { type ApplyOutcome, noChanges } from "../../../contract/agent.ts";
import type { Events } from "../../db/events.ts";
import type { Db } from "../../db/open.ts";
import { type Agents, NodeUnreachable } from "../nodes/agents.ts";
import { type DesiredPeering, findDesired } from "../peerings/desired.ts";
import { goPast } from "../peerings/go-past.ts";
import type { Ending } from "./finish.ts";
import { longestWaitMs, noteWaiting, type TaskRow } from "./tasks.ts";

export interface DeployDeps {
  readonly db: Db;
  readonly events: Pick<Events, "publish">;
  readonly agents: Agents;
  readonly clock: () => number;
}

const attemptTimeoutMs = 45_000;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/**
 * Brings a task's generation to its node and answers how it ended. Tries again while the node cannot be
 * reached or cannot do it, at least once and until the task's deadline; a task taken up late, after a restart,
 * gets what is left of it. The time left is read from the clock once and then counted monotonically.
 *
 * Rejects with the signal's reason when it aborts; the task stays unfinished then.
 */
export async function deploy(deps: DeployDeps, task: TaskRow, signal: AbortSignal): Promise<Ending> {
  const left = Math.min(longestWaitMs, Math.max(0, task.deadline_at - deps.clock()));
  const until = performance.now() + left;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    signal.throwIfAborted();
    try {
      const outcome = await apply(deps, task, signal);
      if (outcome.outcome === "applied")
        return { status: "success", steps: outcome.steps.map(spoken), reason: "" };
      if (outcome.outcome === "refused")
        return { status: "failed", steps: outcome.steps, reason: outcome.reason };
      await overtake(deps, task);
    } catch (error) {
      if (!(error instanceof NodeUnreachable)) throw error;
      signal.throwIfAborted();
      const rest = until - performance.now();
      if (rest <= 0) return outOfTime(task, error);
      const noted = await noteWaiting(deps.db, task.id, `${error.fault} Trying again…`);
      if (noted) await deps.events.publish("taskChanged", { asn: task.asn, taskID: task.id });
      await pause(Math.min(pauseMs, rest), undefined, { signal });
    }
  }
}

async function apply({ db, agents }: DeployDeps, task: TaskRow, signal: AbortSignal): Promise<ApplyOutcome> {
  const { generation, present, peering } = await desiredOf(db, task);
  const body = { asn: task.asn, generation, desired: present ? peering : null };
  return agents.ask(task.node, "apply", body, { timeoutMs: attemptTimeoutMs, signal });
}

/** The agent holds a newer generation than the database: go past it. */
async function overtake({ db, agents }: DeployDeps, task: TaskRow): Promise<void> {
  const held = await agents.ask(task.node, "generations", undefined);
  const newest = held.find(({ asn }) => asn === task.asn)?.generation ?? 0;
  await goPast(db, await desiredOf(db, task), newest);
}

async function desiredOf(db: Db, task: TaskRow): Promise<DesiredPeering> {
  const desired = await findDesired(db, task.asn, task.node);
  if (!desired) throw new Error(`task ${task.id} has no desired peering`);
  return desired;
}

/** A node that took a generation whose answer was lost has nothing to do when it is asked again. */
function spoken(step: string): string {
  return step === noChanges ? "The node had done this already." : step;
}

/** A deletion ends as `failed`, since it goes on through `error` (section 4 of the specification). */
function outOfTime({ node, kind, previous }: TaskRow, { answered, fault }: NodeUnreachable): Ending {
  const why = answered ? fault : `${node} could not be reached in time.`;
  const kept = previous === null ? "Nothing was deployed." : "What ran before was kept.";
  return {
    status: kind === "delete" ? "failed" : "error",
    steps: [],
    reason: `${why} ${kept} Try again when the node is back.`,
  };
}
