/**
 * What the server has said of the provider's other nodes and of its addresses, for the packet filter and the rules of
 * endpoints. It survives a restart, so that the rules do not depend on the server.
 *
 * Invariant: once a server is known, the agent's port is never open to every address again, and the address from which the
 * last list came can always connect.
 */
import { join } from "node:path";
import * as v from "valibot";
import { HttpError } from "../../contract/http-error.ts";
import type { AgentCalls } from "../../contract/agent.ts";
import { otherNode, type OtherNode, providerAddresses } from "../../contract/call-tables/other-node-calls.ts";
import type { CallBody } from "../../contract/call.ts";
import { isAsn } from "../../domain/asn.ts";
import { formatAddress, formatPrefix, parseAddress, type Prefix } from "../../domain/prefix.ts";
import type { Router } from "../drivers/router.ts";
import type { Exclusive } from "../exclusive.ts";
import type { Log } from "../log.ts";
import { createNodeFile, type NodeFile } from "../node-file.ts";
import type { AcceptedServers } from "../servers/accepted-servers.ts";
import {
  canonicalizeProvider,
  findContained,
  findServers,
  rememberConnection,
} from "../servers/server-addresses.ts";

const stored = v.object({
  nodes: v.array(otherNode),
  strictSource: v.boolean(),
  /** Absent before the first, and in a file of an older agent. */
  provider: v.optional(providerAddresses),
  /** From where the servers connected that told `provider`, the last one at the end. */
  connections: v.optional(v.array(v.string())),
});
export type StoredNodes = v.InferOutput<typeof stored>;
export type OtherNodesStore = NodeFile<StoredNodes>;

export interface OtherNodes {
  readonly current: () => StoredNodes;
  /** The provider's endpoints that the server has told. */
  readonly endpoints: () => readonly string[];
  /** Where servers connect from; empty if it is not known. */
  readonly servers: () => readonly Prefix[];
  /**
   * Stores the change and gives it to the router; `exclusive` runs no `set` meanwhile. Rejects if it cannot be stored, and
   * nothing is changed then, or if the router refuses it, which then gets it with a later `set`.
   *
   * @param from the address from which the server has connected
   */
  readonly update: (
    change: CallBody<AgentCalls["setOtherNodes"]>,
    from: string | undefined,
    exclusive: Exclusive,
  ) => Promise<void>;
  /** Reads again which servers the operator accepts. Never rejects. */
  readonly refresh: (exclusive: Exclusive) => Promise<void>;
}

export interface OtherNodesOptions {
  readonly router: Pick<Router, "setOtherNodes">;
  readonly store: OtherNodesStore;
  /** `server_addresses` of the configuration. */
  readonly configured: readonly string[];
  readonly accepted: AcceptedServers;
  readonly log: Log;
}

export function createOtherNodesFile(folder: string, node: string): OtherNodesStore {
  return createNodeFile({
    path: join(folder, "other-nodes.json"),
    node,
    schema: stored,
    advice: "Move it away; the server then sends it again.",
  });
}

/** Loads what is stored, and gives it to the router before its first `set`. */
export async function openOtherNodes(options: OtherNodesOptions): Promise<OtherNodes> {
  const { router, store, configured, log } = options;
  let current = (await store.load()) ?? { nodes: [], strictSource: false };
  let accepted = await options.accepted.read();
  let servers: readonly Prefix[] = [];

  async function giveToRouter(): Promise<void> {
    const { nodes, strictSource, provider, connections = [] } = current;
    servers = findServers({ configured, told: provider?.servers ?? [], connections, accepted });
    await router.setOtherNodes({ nodes, strictSource, servers: servers.map(formatPrefix) });
  }

  async function readAccepted(exclusive: Exclusive): Promise<void> {
    const next = await options.accepted.read();
    if (next.join() === accepted.join()) return;
    log.info({ addresses: next }, "the operator accepts servers from these addresses");
    await exclusive(async () => {
      accepted = next;
      await giveToRouter();
    });
  }

  await giveToRouter();
  return {
    current: () => current,
    endpoints: () => current.provider?.endpoints ?? [],
    servers: () => servers,
    update: ({ nodes, changed, strictSource, provider }, from, exclusive) =>
      exclusive(async () => {
        const byName = new Map(
          [...current.nodes, ...changed.map(canonicalize)].map((one) => [one.node, one]),
        );
        const told = canonicalizeProvider(provider);
        const next = {
          nodes: nodes.flatMap((name) => byName.get(name) ?? []),
          strictSource,
          provider: told.servers.length > 0 ? told : { ...told, servers: current.provider?.servers ?? [] },
          connections: rememberConnection(current.connections ?? [], from),
        };
        await store.save(next);
        current = next;
        const confirmed = findContained(accepted, told.servers);
        accepted = accepted.filter((address) => !confirmed.includes(address));
        await giveToRouter();
        await options.accepted.forget(confirmed);
      }),
    refresh: (exclusive) =>
      readAccepted(exclusive).catch((error: unknown) => {
        log.warn({ reason: String(error) }, "could not accept the servers that the operator accepts");
      }),
  };
}

/** The agent renders the values into rules. Throws an `HttpError` if one is not valid. */
function canonicalize(other: OtherNode): OtherNode {
  const invalid = other.tunnels.find(({ asn }) => !isAsn(asn));
  if (invalid) throw notValid(`${invalid.asn} is not an AS number.`);
  return {
    ...other,
    addresses: other.addresses.map(toCanonical),
    services: other.services.map((service) =>
      service.address === undefined ? service : { ...service, address: toCanonical(service.address) },
    ),
    tunnels: other.tunnels.map(({ asn, addresses }) => ({ asn, addresses: addresses.map(toCanonical) })),
  };
}

function toCanonical(text: string): string {
  const address = parseAddress(text);
  if (!address) throw notValid(`${text} is not an address.`);
  return formatAddress(address);
}

function notValid(message: string): HttpError {
  return new HttpError(422, { message: `${message} Nothing was changed.`, field: "changed" });
}
