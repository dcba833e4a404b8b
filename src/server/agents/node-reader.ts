/**
 * Reads the state of nodes for everything on this server that shows or records it: status calls, the
 * observer and the live events.
 *
 * Invariants:
 * - The load on a node does not depend on the number of readers: reads of one kind are shared, failed ones too, so
 *   that a dead node is not asked once per caller. Reads of single peerings are few (`single-peering-reads.ts`).
 * - A caller waits at most its own `timeoutMs` and until its signal aborts. Neither ends the read for the others.
 */
import type { CallInput, CallResponse } from "../../contract/call.ts";
import { createSingleFlight, type SingleFlight } from "../../domain/concurrency/single-flight.ts";
import { type AgentClient, NodeUnreachableError } from "./agent-client.ts";
import type { NodeCalls, ObservedPeerings } from "./observed-peerings.ts";
import { createSinglePeeringReads } from "./single-peering-reads.ts";

type Read = "observe" | "health" | "usage" | "inUse";
type ReadResult<N extends Read> = CallResponse<NodeCalls[N]>;

interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface NodeReader extends AsyncDisposable {
  /** `AgentClient.listNodes`. */
  listNodes(): readonly string[];
  /** Rejects like `AgentClient.ask`; with `NodeUnreachableError` too when the caller's time is up or its signal aborts. */
  read<N extends Read>(node: string, name: N, options: WaitOptions): Promise<ReadResult<N>>;
  /** Reads the state of one peering, from a read of all peerings if there is a recent one. Rejects like `read`. */
  readPeering(node: string, asn: string, options: WaitOptions): Promise<Pick<ObservedPeerings, "find">>;
  /** The node's state has changed: later reads do not share a read that started before. */
  invalidate(node: string): void;
}

/** The longest `timeoutMs` of any caller; a node that has not responded by then counts as unreachable. */
export const maxReadMs = 5_000;

export interface NodeReaderOptions {
  /** How long after its start a read serves further callers. */
  readonly maxAgeMs: number;
}

export function createNodeReader(agents: AgentClient, { maxAgeMs }: NodeReaderOptions): NodeReader {
  const closing = new AbortController();
  const inFlight = new Set<Promise<unknown>>();
  const sharing = { maxAgeMs, now: () => performance.now() };
  const shared = {
    observe: share("observe"),
    health: share("health"),
    usage: share("usage"),
    inUse: share("inUse"),
  };
  const single = createSinglePeeringReads(
    async (node, asn) => (await ask(node, "observePeering", { asn })).peering,
    sharing,
  );

  function share<N extends Read>(name: N): SingleFlight<ReadResult<N>> {
    return createSingleFlight((node) => ask(node, name, undefined as never), sharing);
  }

  async function ask<N extends Read | "observePeering">(
    node: string,
    name: N,
    body: CallInput<NodeCalls[N]>,
  ): Promise<CallResponse<NodeCalls[N]>> {
    const asked = agents.ask(node, name, body, { timeoutMs: maxReadMs, signal: closing.signal });
    inFlight.add(asked);
    return asked.finally(() => inFlight.delete(asked));
  }

  function readPeering(node: string, asn: string): Promise<Pick<ObservedPeerings, "find">> {
    const all = shared.observe.current(node);
    if (all) return all;
    const one = single.read(node, asn);
    return (
      one?.then((peering) => ({ find: (other) => (other === peering?.asn ? peering : undefined) })) ??
      shared.observe.get(node)
    );
  }

  return {
    listNodes: () => agents.listNodes(),
    read: <N extends Read>(node: string, name: N, options: WaitOptions) =>
      waitAtMost((shared[name] as SingleFlight<ReadResult<N>>).get(node), node, options),
    readPeering: (node, asn, options) => waitAtMost(readPeering(node, asn), node, options),
    invalidate(node) {
      single.invalidate(node);
      for (const reads of Object.values(shared)) reads.invalidate(node);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.allSettled(inFlight);
    },
  };
}

function waitAtMost<T>(read: Promise<T>, node: string, { timeoutMs, signal }: WaitOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (cause: unknown) => reject(new NodeUnreachableError(node, cause));
    const onAbort = () => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    read.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    });
  });
}
