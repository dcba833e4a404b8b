import { agentProtocol, ProtocolMismatchError, withProtocol } from "../../contract/agent/agent-protocol.ts";
import type { CallResponse, CallInput } from "../../contract/call.ts";
import { CallError, createCaller, type Caller, type Transport } from "../../contract/client.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import {
  createNodeConnections,
  findConnectionFailure,
  type NodeConnections,
  protocolFinding,
} from "./node-connections.ts";
import { type NodeCalls, nodeCalls } from "./observed-peerings.ts";
import { createIgnoredItems, type IgnoredItems } from "./ignored-items.ts";
import { isChange, isQuery } from "./node-transport.ts";
import type { Transports } from "./node-transports.ts";

/** See `agentCalls.apply`. */
const busyStatus = 409;

/** The node was removed while participants had peerings on it. */
class UnknownNodeError extends Error {
  override readonly name = "UnknownNodeError";

  constructor() {
    super("the provider has no such node");
  }
}

/** A node's agent gave no response, or an error. */
export class NodeUnreachableError extends Error {
  override readonly name: string = "NodeUnreachableError";
  readonly node: string;
  /** Whether the agent responded, with an error. */
  readonly hasResponded: boolean;
  /** Whether the node works, but its operator is changing its configuration or upgrading it. */
  readonly isBusy: boolean;
  /** Whether the agent speaks another protocol than this server, so that one of them has to be upgraded. */
  readonly isUpgrading: boolean;
  /** Whether the provider has no such node any more. */
  readonly isRemoved: boolean;

  constructor(node: string, cause: unknown) {
    super(`${node} could not be reached`, { cause });
    this.node = node;
    this.isUpgrading = cause instanceof ProtocolMismatchError;
    this.isRemoved = cause instanceof UnknownNodeError;
    this.hasResponded = cause instanceof CallError || this.isUpgrading;
    this.isBusy = this.isUpgrading || (cause instanceof CallError && cause.status === busyStatus);
  }

  finding(host: string): Finding {
    if (this.cause instanceof ProtocolMismatchError) return protocolFinding(this.cause, host);
    if (this.isRemoved) return { code: "node-out-of-service", facts: {} };
    if (this.isBusy) return { code: "node-busy", facts: { host } };
    if (this.hasResponded) return { code: "node-error", facts: { host } };
    return { code: "node-unreachable", facts: { host, cause: null } };
  }
}

export interface AgentClient {
  /** The names of the nodes that can be called, in their order. */
  listNodes(): readonly string[];
  /**
   * Makes a call to a node's agent. Rejects with `NodeUnreachableError` when there is no response within the
   * timeout, the response is an error, or the agent speaks another protocol, and with `CallError` 404 when the node does
   * not run the peering. A change is sent only to an agent that has said that it speaks the protocol.
   */
  ask<N extends keyof NodeCalls>(
    node: string,
    name: N,
    body: CallInput<NodeCalls[N]>,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<CallResponse<NodeCalls[N]>>;
  /** Why nodes could not be reached last, by node name. */
  readFailures: NodeConnections["readFailures"];
  /** What the agents sent and the server ignores. */
  readonly ignored: IgnoredItems;
  /** The subscriber receives a node's name at its first successful call, and at the first one after a failed call. */
  onReachable(subscriber: (node: string) => void): void;
}

const defaultTimeoutMs = 10_000;
/** Of an error response, which only logs and commands show. */
const maxErrorLength = 2_000;

/**
 * @param log receives each change of a node between reachable and not
 * @param protocol that the server speaks; tests pass another one
 */
export function createAgentClient(
  transports: Transports,
  log: Parameters<typeof createNodeConnections>[0] = null,
  protocol = agentProtocol,
): AgentClient {
  const connections = createNodeConnections(log);
  const ignored = createIgnoredItems(log);
  /** By node, with the transport that each calls through. */
  const callers = new Map<string, { readonly transport: Transport; readonly caller: Caller }>();
  /** The nodes whose last call succeeded: their agents speak the protocol. */
  const reachable = new Set<string>();
  const subscribers: Array<(node: string) => void> = [];

  function noteReachable(node: string): void {
    if (reachable.has(node)) return;
    reachable.add(node);
    for (const subscriber of subscribers) subscriber(node);
  }

  function findCaller(node: string): Caller | undefined {
    const transport = transports.get(node);
    const known = callers.get(node);
    if (known?.transport === transport) return known?.caller;
    // The agent behind another transport may be another one.
    callers.delete(node);
    reachable.delete(node);
    if (!transport) return undefined;
    const caller = createCaller(withShortErrors(withProtocol(transport, protocol)), ({ path }, count) =>
      ignored.note(node, `invalid items of ${path}`, count),
    );
    callers.set(node, { transport, caller });
    return caller;
  }

  return {
    listNodes: () => [...transports.keys()],
    readFailures: () => connections.readFailures(),
    ignored,
    onReachable: (subscriber) => void subscribers.push(subscriber),
    async ask(node, name, body, { timeoutMs = defaultTimeoutMs, signal } = {}) {
      const caller = findCaller(node);
      if (!caller) throw new NodeUnreachableError(node, new UnknownNodeError());
      const timeout = AbortSignal.timeout(timeoutMs);
      const noteEnd = connections.begin(node);
      const options = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
      try {
        if (isChange(name) && !reachable.has(node)) await caller(nodeCalls.facts, undefined, options);
        const response = await caller(nodeCalls[name], body, options);
        noteEnd(null);
        noteReachable(node);
        return response;
      } catch (error) {
        if (error instanceof CallError) noteEnd(null);
        if (error instanceof CallError && error.status === 404 && error.body.field === "asn") {
          noteReachable(node);
          throw error;
        }
        const failure = new NodeUnreachableError(node, error);
        // A call that its caller aborted, and a query, which may take long, say nothing about the node.
        const isUnreachable = signal?.aborted !== true && !isQuery(name) && !failure.isBusy;
        if (isUnreachable || failure.isUpgrading) {
          reachable.delete(node);
          if (!(error instanceof CallError)) noteEnd(findConnectionFailure(error));
        }
        throw failure;
      }
    },
  };
}

/** A longer error of an agent counts as one without a text. */
function withShortErrors(transport: Transport): Transport {
  return async (request) => {
    const response = await transport(request);
    if (response.status >= 200 && response.status <= 299) return response;
    const text = await response.text();
    return { ...response, text: async () => (text.length <= maxErrorLength ? text : "") };
  };
}
