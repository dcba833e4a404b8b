/** Finds out which participants use the present public key of a node, and which ones still use an earlier one. */
import type { ObservedPeering } from "#contract/agent.ts";
import type { Db } from "#server/db/open.ts";

/** The state of nodes at one time. */
export interface KeyObservation {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `peerings` is null where the node did not respond. */
  readonly nodes: ReadonlyArray<{
    readonly node: string;
    readonly peerings: readonly ObservedPeering[] | null;
  }>;
}

/**
 * A restarted agent returns its key before its tunnels have it, so a handshake shortly after a key was first seen may be
 * one with the earlier key.
 */
const settleMs = 60_000;

/**
 * Stores for each peering that had a handshake after its node's key changed that its participant uses this key: a
 * handshake with another one cannot succeed.
 */
export async function confirmNodeKeys(db: Db, { at, nodes }: KeyObservation): Promise<void> {
  const outdated = await outdatedPeerings(db).select("node_facts.key_since").execute();
  for (const { asn, node, public_key: publicKey, key_since: since } of outdated) {
    const peerings = nodes.find((each) => each.node === node)?.peerings ?? [];
    const ageSeconds = peerings.find((each) => each.asn === asn)?.tunnel.handshakeAgeSeconds ?? Infinity;
    if (at - ageSeconds * 1000 < since + settleMs) continue;
    await db
      .updateTable("peerings")
      .set({ node_key: publicKey })
      .where("asn", "=", asn)
      .where("node", "=", node)
      .execute();
  }
}

/** The new public keys of nodes by node, for each of these ASes that uses another key of the node. */
export type NewNodeKeys = ReadonlyMap<string, ReadonlyMap<string, string>>;

export async function findNewNodeKeys(db: Db, asns: readonly string[]): Promise<NewNodeKeys> {
  const rows = await outdatedPeerings(db).where("peerings.asn", "in", asns).execute();
  const keys = new Map<string, Map<string, string>>();
  for (const { asn, node, public_key: publicKey } of rows) {
    keys.set(asn, (keys.get(asn) ?? new Map<string, string>()).set(node, publicKey));
  }
  return keys;
}

/** The peerings whose participants use another key than the node's, with the node's. */
function outdatedPeerings(db: Db) {
  return db
    .selectFrom("peerings")
    .innerJoin("node_facts", "node_facts.node", "peerings.node")
    .whereRef("peerings.node_key", "!=", "node_facts.public_key")
    .select(["peerings.asn", "peerings.node", "node_facts.public_key"]);
}
