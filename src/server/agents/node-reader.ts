/**
 * Reads the state of nodes for everything on this server that shows or records it: status calls, the
 * observer and the live events.
 *
 * Invariants:
 * - The load on a node does not depend on the number of readers: reads of one kind are shared, failed ones too, so
 *   that a dead node is not asked once per caller.
 * - A caller waits at most its own `timeoutMs` and until its signal aborts. Neither ends the read for the others.
 */
import type { AgentCalls } from "../../contract/agent.ts";
import type { CallResponse } from "../../contract/call.ts";
import { createSingleFlight, type SingleFlight } from "../../domain/concurrency/single-flight.ts";
import { type AgentClient, NodeUnreachableError } from "./agent-client.ts";

type Read = "observe" | "health" | "usage" | "inUse";
type ReadResult<N extends Read> = CallResponse<AgentCalls[N]>;

export interface NodeReader extends AsyncDisposable {
  readonly nodes: readonly string[];
  /** Rejects like `AgentClient.ask`; with `NodeUnreachableError` too when the caller's time is up or its signal aborts. */
  read<N extends Read>(
    node: string,
    name: N,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<ReadResult<N>>;
  /** The node's state has changed: later calls of `read` do not share a read that started before. */
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
  const shared = {
    observe: share("observe"),
    health: share("health"),
    usage: share("usage"),
    inUse: share("inUse"),
  };
  const inFlight = new Set<Promise<unknown>>();

  function share<N extends Read>(name: N): SingleFlight<ReadResult<N>> {
    return createSingleFlight(
      async (node) => {
        const asked = agents.ask(node, name, undefined as never, {
          timeoutMs: maxReadMs,
          signal: closing.signal,
        });
        inFlight.add(asked);
        return asked.finally(() => inFlight.delete(asked));
      },
      { maxAgeMs, now: () => performance.now() },
    );
  }

  return {
    nodes: agents.nodes,
    read: <N extends Read>(node: string, name: N, { timeoutMs, signal }: WaitOptions) =>
      waitAtMost((shared[name] as SingleFlight<ReadResult<N>>).get(node), node, { timeoutMs, signal }),
    invalidate(node) {
      for (const reads of Object.values(shared)) reads.invalidate(node);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.allSettled(inFlight);
    },
  };
}

interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
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
