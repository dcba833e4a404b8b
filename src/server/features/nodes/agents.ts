import { type AgentCalls, agentCalls } from "../../../contract/agent.ts";
import type { CallAnswer, CallInput } from "../../../contract/call.ts";
import { CallError, createCaller, type Transport } from "../../../contract/client.ts";

/** A node's agent did not answer, or could not do what it was asked for. */
export class NodeUnreachable extends Error {
  override readonly name = "NodeUnreachable";
  readonly node: string;
  /** Whether there was an answer, if not the wanted one. */
  readonly answered: boolean;
  /** What is wrong, whole sentences for people; with the agent's own words where it said something. */
  readonly fault: string;

  constructor(node: string, cause: unknown) {
    super(`${node} could not be reached`, { cause });
    this.node = node;
    this.answered = cause instanceof CallError;
    this.fault =
      cause instanceof CallError
        ? `${node} answered, but could not do it: ${cause.failure.message}`
        : `${node} cannot be reached.`;
  }
}

/** A node's agent answered that it has no such call: it is older than this server. */
export class AgentOutdated extends NodeUnreachable {}

export interface Agents {
  readonly nodes: readonly string[];
  /**
   * Asks a node's agent. Rejects with `NodeUnreachable` when there is no answer within the limit or another one, with
   * `AgentOutdated` when the agent lacks the call, and with `CallError` 404 when the node runs no such peering.
   */
  ask<N extends keyof AgentCalls>(
    node: string,
    name: N,
    body: CallInput<AgentCalls[N]>,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<CallAnswer<AgentCalls[N]>>;
  /** Tells when a node does what it is asked for and could not the last time, and when one does for the first time. */
  onReturn(listener: (node: string) => void): void;
}

const defaultTimeoutMs = 10_000;

export function createAgents(transports: ReadonlyMap<string, Transport>): Agents {
  const callers = new Map([...transports].map(([node, transport]) => [node, createCaller(transport)]));
  const answering = new Set<string>();
  const listeners: Array<(node: string) => void> = [];

  function answered(node: string): void {
    if (answering.has(node)) return;
    answering.add(node);
    for (const listener of listeners) listener(node);
  }

  return {
    nodes: [...callers.keys()],
    onReturn: (listener) => void listeners.push(listener),
    async ask(node, name, body, { timeoutMs = defaultTimeoutMs, signal } = {}) {
      const caller = callers.get(node) ?? unknownNode(node);
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        const answer = await caller(agentCalls[name], body, {
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        });
        answered(node);
        return answer;
      } catch (error) {
        if (error instanceof CallError && error.status === 404) {
          answered(node);
          throw error.failure.field === "asn" ? error : new AgentOutdated(node, error);
        }
        // Whoever gave up has learnt nothing about the node.
        if (signal?.aborted !== true) answering.delete(node);
        throw new NodeUnreachable(node, error);
      }
    },
  };
}

/** A node that left the profile while somebody had a peering on it. */
function unknownNode(node: string): never {
  throw new NodeUnreachable(node, new Error("the provider profile has no such node"));
}
