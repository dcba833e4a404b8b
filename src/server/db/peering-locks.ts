/**
 * Which changes of desired state exclude each other, over all servers (decision 79).
 *
 * Invariants:
 * - A change takes its locks before it reads what it relies on: PostgreSQL's statements see what was committed before they
 *   began. They are held until the end of the transaction.
 * - Every transaction takes them in this order: all peerings, AS, node, node's counter, public keys by name. So none waits for
 *   another one that waits for it.
 * - What other ASes have on other nodes is looked at for a public key alone.
 *
 * SQLite needs none: it runs one transaction at a time.
 */
import { sql } from "kysely";
import { isPostgres } from "./database-version.ts";
import type { Db } from "./open.ts";

const ofAll = "peerings";

/**
 * For a change of what an AS may do: its block, and the deletion of its account. No change of its peerings runs beside it, so none
 * that was accepted before is committed after it.
 */
export async function lockAccount(tx: Db, asn: string): Promise<void> {
  await lock(tx, ofAll, [`AS${asn}`]);
}

/**
 * For a change of an AS's peering on a node. Nothing else changes the peerings and tasks of this AS, or those of this node: its
 * ports, addresses and free places.
 */
export async function lockPeering(tx: Db, { asn, node }: PeeringPlace): Promise<void> {
  await lock(tx, ofAll, [`AS${asn}`, `node ${node}`]);
}

/**
 * For a change that gives an AS a public key, after `lockPeering`: no other AS takes one of these keys on any node. The key that is
 * replaced is one of them, because the AS has it again if its deployment fails.
 */
export async function lockPublicKeys(tx: Db, keys: readonly string[]): Promise<void> {
  const names = [...new Set(keys)].map((key) => `public key ${key}`);
  await lock(tx, null, names.toSorted());
}

/** For what the server stores of a node by itself: the node is not removed meanwhile. */
export async function lockNode(tx: Db, node: string): Promise<void> {
  await lock(tx, ofAll, [`node ${node}`]);
}

/** For a change of many peerings by the operator. Every other change waits for it. */
export async function lockAllPeerings(tx: Db): Promise<void> {
  await lock(tx, null, [ofAll]);
}

interface PeeringPlace {
  readonly asn: string;
  readonly node: string;
}

/** Takes a lock that others may share, then the others in their order: PostgreSQL calls the functions row by row. */
async function lock(tx: Db, shared: string | null, names: readonly string[]): Promise<void> {
  if (!isPostgres(tx) || names.length === 0) return;
  const sharedLock =
    shared === null ? sql`` : sql`pg_advisory_xact_lock_shared(hashtextextended(${shared}, 0)),`;
  await sql`
    SELECT ${sharedLock} pg_advisory_xact_lock(hashtextextended(name, 0))
    FROM unnest(${names}::text[]) AS name`.execute(tx);
}
