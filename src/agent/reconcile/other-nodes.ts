/**
 * What the server has said of the provider's other nodes, for the packet filter. It survives a restart, so that the rules
 * do not depend on the server.
 */
import { join } from "node:path";
import * as v from "valibot";
import { HttpError } from "../../contract/http-error.ts";
import type { AgentCalls } from "../../contract/agent.ts";
import { otherNode, type OtherNode } from "../../contract/call-tables/other-node-calls.ts";
import type { CallBody } from "../../contract/call.ts";
import { isAsn } from "../../domain/asn.ts";
import { formatAddress, parseAddress } from "../../domain/prefix.ts";
import type { OtherNodesState, Router } from "../drivers/router.ts";
import type { Exclusive } from "../exclusive.ts";
import { createNodeFile, type NodeFile } from "../node-file.ts";

export type OtherNodesStore = NodeFile<OtherNodesState>;

export interface OtherNodes {
  readonly current: () => OtherNodesState;
  /**
   * Stores the change and gives it to the router; `exclusive` runs no `set` meanwhile. Rejects if it cannot be stored, and
   * nothing is changed then, or if the router refuses it, which then gets it with a later `set`.
   */
  readonly update: (change: CallBody<AgentCalls["setOtherNodes"]>, exclusive: Exclusive) => Promise<void>;
}

export function createOtherNodesFile(folder: string, node: string): OtherNodesStore {
  return createNodeFile({
    path: join(folder, "other-nodes.json"),
    node,
    schema: v.object({ nodes: v.array(otherNode), strictSource: v.boolean() }),
    advice: "Move it away; the server then sends it again.",
  });
}

/** Loads what is stored, and gives it to the router before its first `set`. */
export async function openOtherNodes(
  router: Pick<Router, "setOtherNodes">,
  store: OtherNodesStore,
): Promise<OtherNodes> {
  let current = (await store.load()) ?? { nodes: [], strictSource: false };
  await router.setOtherNodes(current);
  return {
    current: () => current,
    update: ({ nodes, changed, strictSource }, exclusive) =>
      exclusive(async () => {
        const byName = new Map(
          [...current.nodes, ...changed.map(canonicalize)].map((one) => [one.node, one]),
        );
        const next = { nodes: nodes.flatMap((name) => byName.get(name) ?? []), strictSource };
        await store.save(next);
        current = next;
        await router.setOtherNodes(next);
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
