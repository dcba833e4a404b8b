/** Finds out which participants use the public key that their tunnels have on the node, and which ones still use another one. */
import { sql } from "kysely";
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
 * handshake with another one cannot succeed. Tunnels that were switched to another key are left to `observe-switches.ts`.
 */
export async function confirmNodeKeys(db: Db, { at, nodes }: KeyObservation): Promise<void> {
  const outdated = await outdatedPeerings(db)
    .leftJoin("node_key_switches as switches", (join) =>
      join.onRef("switches.asn", "=", "peerings.asn").onRef("switches.node", "=", "peerings.node"),
    )
    .where("switches.task", "is", null)
    .select("node_facts.key_since")
    .execute();
  for (const { asn, node, key_since: since } of outdated) {
    const peerings = nodes.find((each) => each.node === node)?.peerings ?? [];
    const ageSeconds = peerings.find((each) => each.asn === asn)?.tunnel.handshakeAgeSeconds ?? Infinity;
    if (at - ageSeconds * 1000 < since + settleMs) continue;
    await confirmKey(db, { asn, node });
  }
}

/** Stores that the participant uses the key that the tunnel has. */
export async function confirmKey(
  db: Db,
  { asn, node }: { readonly asn: string; readonly node: string },
): Promise<void> {
  await db
    .updateTable("peerings")
    .set((row) => ({
      node_key: row.fn.coalesce(
        "tunnel_key",
        row.selectFrom("node_facts").select("public_key").where("node", "=", node),
      ),
    }))
    .where("asn", "=", asn)
    .where("node", "=", node)
    .execute();
}

/** The public keys of tunnels by node, for each of these ASes that uses another key of the node. */
export type NewNodeKeys = ReadonlyMap<string, ReadonlyMap<string, string>>;

export async function findNewNodeKeys(db: Db, asns: readonly string[]): Promise<NewNodeKeys> {
  const rows = await outdatedPeerings(db).where("peerings.asn", "in", asns).execute();
  const keys = new Map<string, Map<string, string>>();
  for (const { asn, node, public_key: publicKey } of rows) {
    keys.set(asn, (keys.get(asn) ?? new Map<string, string>()).set(node, publicKey));
  }
  return keys;
}

/** The peerings whose participants use another key than the tunnel's, with the tunnel's. */
function outdatedPeerings(db: Db) {
  const tunnelKey = sql<string>`coalesce(peerings.tunnel_key, node_facts.public_key)`;
  return db
    .selectFrom("peerings")
    .innerJoin("node_facts", "node_facts.node", "peerings.node")
    .where("peerings.node_key", "!=", tunnelKey)
    .select(["peerings.asn", "peerings.node", tunnelKey.as("public_key")]);
}
