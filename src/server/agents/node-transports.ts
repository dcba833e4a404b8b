/**
 * The transports to the agents of all nodes.
 *
 * Invariant: a node whose agent has another address or certificate gets a new transport at the next call. That of a removed
 * node is closed at once.
 */
import type { Transport } from "../../contract/client.ts";
import type { Nodes } from "../nodes/nodes.ts";
import type { ProviderNode } from "../nodes/provider-node.ts";

/** The transports by node name. A `Map` is one that never changes. */
export type Transports = Pick<ReadonlyMap<string, Transport>, "get" | "keys">;

/** Opens the transport to a node's agent; null if the server has none. */
export type OpenTransport = (
  node: Pick<ProviderNode, "name" | "agent">,
) => (Transport & Partial<AsyncDisposable>) | null;

interface OpenedTransport {
  readonly agent: string;
  readonly transport: ReturnType<OpenTransport>;
}

export function createNodeTransports(nodes: Nodes, open: OpenTransport): Transports & AsyncDisposable {
  const opened = new Map<string, OpenedTransport>();

  function get(name: string): Transport | undefined {
    const node = nodes.find(name);
    if (node === null) return undefined;
    const agent = JSON.stringify(node.agent);
    const known = opened.get(name);
    if (known?.agent === agent) return known.transport ?? undefined;
    if (known) void close(known);
    const transport = open(node);
    opened.set(name, { agent, transport });
    return transport ?? undefined;
  }

  nodes.onChange(() => {
    for (const [name, one] of opened) {
      if (nodes.find(name) !== null) continue;
      opened.delete(name);
      void close(one);
    }
  });
  return {
    get,
    keys: () =>
      nodes
        .list()
        .map(({ name }) => name)
        .filter((name) => get(name) !== undefined)
        .values(),
    async [Symbol.asyncDispose]() {
      await Promise.all(Array.from(opened.values(), close));
    },
  };
}

/** Opens the transport to one agent apart from the provider's nodes; there is none if `open` returns null. */
export function openNodeTransport(
  node: Parameters<OpenTransport>[0],
  open: OpenTransport,
): Transports & AsyncDisposable {
  const transport = open(node);
  const transports = new Map(transport && [[node.name, transport]]);
  return Object.assign(transports, {
    [Symbol.asyncDispose]: async () => transport?.[Symbol.asyncDispose]?.(),
  });
}

async function close({ transport }: OpenedTransport): Promise<void> {
  await transport?.[Symbol.asyncDispose]?.();
}
