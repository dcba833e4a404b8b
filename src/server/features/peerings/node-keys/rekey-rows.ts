/**
 * The rows of nodes that get another WireGuard key (decision 85).
 *
 * Invariants:
 * - Every change of a row takes the lock of all peerings, so no peering gets a key beside it.
 * - A peering is created with `node_facts.current_key`: the old key before the announcement, the new one after it.
 */
import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { formatTime } from "#domain/text/time.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import type { NodeRekeysTable } from "#server/db/schema/node-tables.ts";
import { notifyOfKey, type WriteNotice } from "./notify-of-key.ts";

export type RekeyRow = Selectable<NodeRekeysTable>;
/** A rekey whose new key the participants know. */
export type AnnouncedRekey = RekeyRow & { readonly new_key: string };

/** Returns the rekey of a node that is not cancelled, or null. */
export async function findRekey(db: Db, node: string): Promise<RekeyRow | null> {
  const row = await db
    .selectFrom("node_rekeys")
    .selectAll()
    .where("node", "=", node)
    .where("cancelled_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

export async function findAnnouncedRekey(db: Db, node: string): Promise<AnnouncedRekey | null> {
  const row = await findRekey(db, node);
  return row && isAnnounced(row) ? row : null;
}

export function isAnnounced(row: RekeyRow): row is AnnouncedRekey {
  return row.new_key !== null && row.cancelled_at === null;
}

export interface NewRekey {
  readonly node: string;
  readonly now: number;
  /** When the server switches the peerings that their participants have not switched. */
  readonly switchAt: number;
}

/** Adds the rekey of a node. Returns false if it has one that is not cancelled. */
export async function startRekey(db: Db, { node, now, switchAt }: NewRekey): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    if ((await findRekey(tx, node)) !== null) return false;
    await tx.deleteFrom("node_rekeys").where("node", "=", node).execute();
    await tx
      .insertInto("node_rekeys")
      .values({
        node,
        id: randomUUID(),
        old_key: null,
        new_key: null,
        created_at: now,
        announced_at: null,
        switch_at: switchAt,
        cancelled_at: null,
      })
      .execute();
    const detail = `Peerings that have not been switched get the new key on ${formatTime(switchAt)}.`;
    await recordEvent(tx, { kind: "node-rekey-started", asn: null, node, detail }, noOrigin, now);
    return true;
  });
}

export type Cancellation =
  | { readonly outcome: "cancelled"; readonly notified: readonly string[] }
  | { readonly outcome: "none" }
  /** The AS numbers whose tunnels have the new key. */
  | { readonly outcome: "switched"; readonly asns: readonly string[] };

/** Cancels the rekey of a node, unless a tunnel has the new key. The running server then removes the key from the node. */
export async function cancelRekey(
  db: Db,
  {
    node,
    now,
    writeNotice,
  }: { readonly node: string; readonly now: number; readonly writeNotice: WriteNotice },
): Promise<Cancellation> {
  return db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    const rekey = await findRekey(tx, node);
    if (rekey === null) return { outcome: "none" };
    const { switched, waiting } = await listByKey(tx, node, rekey.new_key);
    const asns = [...switched, ...(await listReturning(tx, node))];
    if (asns.length > 0) return { outcome: "switched", asns: [...new Set(asns)] };
    await tx.updateTable("node_rekeys").set({ cancelled_at: now }).where("node", "=", node).execute();
    await recordEvent(tx, { kind: "node-rekey-cancelled", asn: null, node }, noOrigin, now);
    if (!isAnnounced(rekey)) return { outcome: "cancelled", notified: [] };
    await setCurrentKey(tx, node, rekey.old_key);
    for (const asn of waiting) {
      await recordEvent(tx, { kind: "node-rekey-cancelled", asn, node }, noOrigin, now);
      await notifyOfKey(tx, writeNotice, { notice: "nodeRekeyCancelled", asn, node, at: now });
    }
    return { outcome: "cancelled", notified: waiting };
  });
}

export interface PeeringsByKey {
  /** The AS numbers of peerings whose tunnels have the new key. */
  readonly switched: readonly string[];
  readonly waiting: readonly string[];
}

/** The peerings of a node by whether their tunnels have its new key. Those with another one that are being deleted do not count. */
export async function listByKey(db: Db, node: string, newKey: string | null): Promise<PeeringsByKey> {
  const rows = await db
    .selectFrom("peerings")
    .select(["asn", "tunnel_key", "present"])
    .where("node", "=", node)
    .orderBy("asn")
    .execute();
  const hasNewKey = (row: (typeof rows)[number]) => newKey !== null && row.tunnel_key === newKey;
  return {
    switched: rows.filter(hasNewKey).map(({ asn }) => asn),
    waiting: rows.filter((row) => row.present === 1 && !hasNewKey(row)).map(({ asn }) => asn),
  };
}

/** The AS numbers whose tunnels are about to have the old key of the node again, and may still have the new one. */
async function listReturning(db: Db, node: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("node_key_switches")
    .select("asn")
    .where("node", "=", node)
    .where("return_task", "is not", null)
    .execute();
  return rows.map(({ asn }) => asn);
}

/** The key of new tunnels on a node; undefined: its first one. */
export async function readCurrentKey(tx: Db, node: string): Promise<string | undefined> {
  const facts = await tx
    .selectFrom("node_facts")
    .select("current_key")
    .where("node", "=", node)
    .executeTakeFirst();
  return facts?.current_key ?? undefined;
}

export async function setCurrentKey(tx: Db, node: string, key: string | null): Promise<void> {
  await tx.updateTable("node_facts").set({ current_key: key }).where("node", "=", node).execute();
}

/** The new keys that were announced to these ASes and that their tunnels do not have, by AS and node. */
export type AnnouncedKeys = ReadonlyMap<string, ReadonlyMap<string, AnnouncedKey>>;

export interface AnnouncedKey {
  readonly publicKey: string;
  /** Milliseconds since 1970. */
  readonly switchAt: number;
}

export async function findAnnouncedKeys(db: Db, asns: readonly string[]): Promise<AnnouncedKeys> {
  const rows = await db
    .selectFrom("peerings")
    .innerJoin("node_rekeys", "node_rekeys.node", "peerings.node")
    .where("peerings.asn", "in", asns)
    .where("node_rekeys.cancelled_at", "is", null)
    .select(["peerings.asn", "peerings.node", "peerings.tunnel_key", "new_key", "switch_at"])
    .execute();
  const keys = new Map<string, Map<string, AnnouncedKey>>();
  for (const { asn, node, tunnel_key: tunnelKey, new_key: publicKey, switch_at: switchAt } of rows) {
    if (publicKey === null || publicKey === tunnelKey) continue;
    const ofAs = keys.get(asn) ?? new Map<string, AnnouncedKey>();
    keys.set(asn, ofAs.set(node, { publicKey, switchAt }));
  }
  return keys;
}
