/**
 * The other participants of the demo: ASes of the sample registry that have peered with some of its nodes, so that the nodes have
 * sessions from which their routes come. The passwords of their accounts are random and not stored.
 *
 * Invariant: they are stored once, in a database that has had no peering.
 */
import { createHash, randomUUID } from "node:crypto";
import { seeded } from "../agent/drivers/simulated/seed.ts";
import type { RegisteredRoute } from "../agent/drivers/simulated/routes.ts";
import { completePeering } from "../domain/peering/complete-peering.ts";
import type { PeeringRequest } from "../domain/peering/fields/peering-request.ts";
import { readNodeIdentity } from "../server/agents/node-facts.ts";
import type { Profile } from "../server/config/profile.ts";
import { type ProviderNode, toProviderNode } from "../server/nodes/provider-node.ts";
import { readNewestGeneration, takeGeneration } from "../server/db/generation.ts";
import type { Db } from "../server/db/open.ts";
import { storePasswordHash } from "../server/features/accounts/accounts.ts";
import { accountTurn, createPasswordHasher } from "../server/features/accounts/passwords.ts";
import { putDesired } from "../server/features/peerings/desired-peerings.ts";
import type { Registry } from "../server/registry/registry.ts";

/** The names of the nodes that each of them peers with, by AS number. */
export type Neighbours = ReadonlyMap<string, readonly string[]>;

/** Left to visitors of the demo, who register as one of the first ASes of the registry. */
const visitors: ReadonlySet<string> = new Set(
  Array.from({ length: 7 }, (_, index) => String(4_242_420_001 + index)),
);

/** Each peers with one node or two. */
export function chooseNeighbours(
  { nodes, asn: providerAsn }: Pick<Profile, "nodes" | "asn">,
  registered: readonly RegisteredRoute[],
): Neighbours {
  const asns = Array.from(new Set(registered.map(({ origin }) => origin)));
  return new Map(
    asns
      .filter((asn) => asn !== providerAsn && !visitors.has(asn))
      .map((asn) => {
        const start = Math.floor(seeded("neighbour", asn) * nodes.length);
        const count = seeded("neighbours", asn) < 0.5 ? 1 : 2;
        const chosen = nodes.filter((_, index) => (index - start + nodes.length) % nodes.length < count);
        return [asn, chosen.map(({ name }) => name)];
      }),
  );
}

export interface NeighbourOptions {
  readonly profile: Pick<Profile, "nodes">;
  readonly registry: Pick<Registry, "findHolder">;
  readonly neighbours: Neighbours;
  readonly now: number;
}

/** Stores their accounts and peerings, which the server then deploys. */
export async function seedNeighbours(db: Db, options: NeighbourOptions): Promise<void> {
  const { profile, registry, neighbours, now } = options;
  if (await hasChanged(db)) return;
  const password = await createPasswordHasher().hash(randomUUID(), accountTurn("demo"));
  const holders = new Map<string, string>();
  for (const asn of neighbours.keys()) holders.set(asn, (await registry.findHolder(asn)) ?? "");
  await db.transaction().execute(async (tx) => {
    for (const [asn, nodes] of neighbours) {
      await storePasswordHash(tx, { asn, holder: holders.get(asn) ?? "" }, password, now);
      for (const node of profile.nodes.filter(({ name }) => nodes.includes(name)))
        await seedPeering(tx, asn, toProviderNode(node));
    }
  });
}

/** Whether the database has, or has had, a peering. */
async function hasChanged(db: Db): Promise<boolean> {
  return (await readNewestGeneration(db)) > 0;
}

async function seedPeering(tx: Db, asn: string, node: ProviderNode): Promise<void> {
  const generation = await takeGeneration(tx, node.name);
  const request = requestOf(asn);
  const ports = await tx.selectFrom("peerings").select("listen_port").where("node", "=", node.name).execute();
  const taken = {
    ports: new Set(ports.map(({ listen_port }) => listen_port)),
    peerAddresses: new Set<string>(),
    publicKeys: new Set<string>(),
  };
  const completed = completePeering(request, await readNodeIdentity(tx, node), taken, null);
  if (!completed.ok) throw new Error(`the demo's peering of AS${asn} on ${node.name} is not valid`);
  await putDesired(tx, {
    asn,
    node: node.name,
    generation,
    revision: generation,
    present: true,
    request,
    peering: completed.peering,
  });
}

/** One session for both address families, from the same router to each node. */
function requestOf(asn: string): PeeringRequest {
  return {
    asn,
    addressFamily: "Both",
    extendedNextHop: true,
    endpointHost: `203.0.113.${10 + Math.floor(seeded("endpoint", asn) * 200)}`,
    endpointPort: 51_820,
    publicKey: createHash("sha256").update(`simulated participant ${asn}`).digest("base64"),
    peerIpv4: null,
    peerIpv6: null,
    customLocalIpv6: null,
    mtu: null,
    probeAddress: null,
    presharedKey: null,
  };
}
