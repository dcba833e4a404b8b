import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { CodedFacts } from "#contract/agent/findings.ts";
import { type AgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";

export interface FollowedChange {
  readonly asn: string;
  readonly node: string;
  readonly generation: number;
}

export interface FollowOptions {
  readonly agents: AgentClient;
  readonly log: Pick<Logger, "warn">;
  /** Receives all steps done so far, whenever there are more of them. */
  readonly onSteps: (steps: readonly CodedFacts[]) => Promise<void>;
  /** Ends the requests. */
  readonly signal: AbortSignal;
}

/**
 * A step is visible half a second after it was done, and most changes are done before the first request. The agent
 * answers from memory.
 */
const intervalMs = 400;
const requestTimeoutMs = 5_000;

/**
 * Asks a node for the steps of a change until the signal aborts. Never rejects: the response to the change has all steps
 * again.
 *
 * Ignores a list that is not longer than the last one: the agent has no steps when it has finished the change, and
 * starts a new list when it tries the changes of a refused batch alone.
 */
export async function followSteps(
  { asn, node, generation }: FollowedChange,
  { agents, log, onSteps, signal }: FollowOptions,
): Promise<void> {
  let known = 0;
  while (!signal.aborted) {
    try {
      await pause(intervalMs, undefined, { signal });
      // Not the client's own timeout: while changes use all connections to the node, this request waits for one, and the
      // node is not unreachable.
      const ending = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
      const { steps } = await agents.ask(node, "progress", { asn, generation }, { signal: ending });
      if (signal.aborted || steps.length <= known) continue;
      await onSteps(steps);
      known = steps.length;
    } catch (error) {
      if (signal.aborted || error instanceof NodeUnreachableError) continue;
      log.warn({ err: error, node, asn }, "the steps of a deployment could not be stored");
    }
  }
}
