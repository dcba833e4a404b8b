/** The nodes as everyone may know them, also pages of other sites and scripts. */
import type { CallResponse } from "#contract/call.ts";
import type { nodeCalls, PublicNode } from "#contract/call-tables/node-calls.ts";
import { nodeHost } from "#contract/node-host.ts";
import { defaultMtu } from "#domain/peering/option-rules.ts";
import { readNodeKeys } from "../../agents/node-facts.ts";
import type { AppContext } from "../../context.ts";
import type { Nodes } from "../../nodes/nodes.ts";
import { readNewPeers } from "../peerings/node-capacity.ts";

export type PublicNodesContext = Pick<AppContext, "db" | "profile"> & { readonly nodes: Pick<Nodes, "list"> };

/** Reads the nodes in their order, with their numbers of peerings at the last observation, as the network summary has them. */
export async function readPublicNodes({
  db,
  profile,
  nodes,
}: PublicNodesContext): Promise<CallResponse<typeof nodeCalls.nodes>> {
  const { name, asn, domain, publicUrl, publish } = profile;
  const all = nodes.list();
  const [keys, summaries] = await Promise.all([
    readNodeKeys(
      db,
      all.map((node) => node.name),
    ),
    db.selectFrom("node_summaries").select(["node", "peerings"]).execute(),
  ]);
  const counts = new Map(summaries.map(({ node, peerings }) => [node, peerings]));
  return {
    provider: { name, asn, url: publicUrl },
    nodes: all.map((node): PublicNode => ({
      name: node.name,
      host: nodeHost(node.name, domain),
      place: node.place,
      lat: node.lat,
      lon: node.lon,
      state: readNewPeers(node, counts.get(node.name) ?? 0),
      families: node.tunnelIpv4 === null ? ["IPv6"] : ["IPv4", "IPv6"],
      capacity: node.maxPeerings,
      peerings: publish.peerings ? (counts.get(node.name) ?? null) : null,
      endpoints: [...node.endpoints],
      public_key: keys.get(node.name) ?? null,
      tunnel_ipv4: node.tunnelIpv4,
      link_local: node.linkLocal,
      mtu: defaultMtu,
    })),
  };
}
