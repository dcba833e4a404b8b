import type { Insertable, Selectable } from "kysely";
import type { PublicPeering } from "#contract/agent.ts";
import { isLinkLocal } from "#domain/address-ranges.ts";
import type { PeeringRequest } from "#domain/peering/fields/peering-request.ts";
import { takeGeneration } from "../../db/generation.ts";
import type { Db } from "../../db/open.ts";
import { lockPeering } from "../../db/peering-locks.ts";
import type { Schema } from "../../db/schema/schema.ts";
import { deleteHalfHours } from "./observed/half-hours.ts";
import { deleteSessionStates } from "./observed/sessions.ts";

/** The desired state of one AS's peering on one node. */
export interface DesiredPeering {
  readonly asn: string;
  readonly node: string;
  readonly generation: number;
  /** The generation that set its content. */
  readonly revision: number;
  /** False while it is being deleted. */
  readonly present: boolean;
  /** What the participant submitted. */
  readonly request: PeeringRequest;
  /** What the agent receives, with a sealed key (`preshared-keys.ts`). */
  readonly peering: PublicPeering & { readonly presharedKey?: SealedKey | undefined };
}

/** An object, so that the type check reports a peering that is sent without opening its key. */
export interface SealedKey {
  readonly sealed: string;
}

export async function findDesired(db: Db, asn: string, node: string): Promise<DesiredPeering | null> {
  const row = await db
    .selectFrom("peerings")
    .selectAll()
    .where("asn", "=", asn)
    .where("node", "=", node)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function findDesiredOfAs(db: Db, asn: string): Promise<DesiredPeering[]> {
  const rows = await db.selectFrom("peerings").selectAll().where("asn", "=", asn).orderBy("node").execute();
  return rows.map(fromRow);
}

/** The peerings whose AS has no account, by AS number. */
export async function findWithoutAccount(
  db: Db,
): Promise<ReadonlyArray<Pick<DesiredPeering, "asn" | "node">>> {
  return db
    .selectFrom("peerings")
    .select(["asn", "node"])
    .where("asn", "not in", (accounts) => accounts.selectFrom("accounts").select("asn"))
    .orderBy("asn")
    .orderBy("node")
    .execute();
}

/** What a comparison with a node needs of a peering. */
export type DesiredVersion = Pick<DesiredPeering, "asn" | "generation" | "present">;

/** Without their values, which are a kilobyte each. */
export async function findVersionsOnNode(db: Db, node: string): Promise<DesiredVersion[]> {
  const rows = await db
    .selectFrom("peerings")
    .select(["asn", "generation", "present"])
    .where("node", "=", node)
    .execute();
  return rows.map(({ asn, generation, present }) => ({ asn, generation, present: present === 1 }));
}

export async function findDesiredOnNode(db: Db, node: string): Promise<DesiredPeering[]> {
  const rows = await db.selectFrom("peerings").selectAll().where("node", "=", node).orderBy("asn").execute();
  return rows.map(fromRow);
}

/** Replaces the desired peering. Rejects when another peering on the node has one of its values. */
export async function putDesired(tx: Db, desired: DesiredPeering): Promise<void> {
  const { asn: _asn, node: _node, ...changes } = toRow(desired);
  await tx
    .insertInto("peerings")
    .values((row) => ({
      ...toRow(desired),
      // The one that the participant receives with the configuration.
      node_key:
        desired.peering.nodeKey ??
        row.selectFrom("node_facts").select("public_key").where("node", "=", desired.node),
    }))
    .onConflict((conflict) => conflict.columns(["asn", "node"]).doUpdateSet(changes))
    .execute();
}

/** Deletes the peering with its history, which a later one does not continue. */
export async function removeDesired(tx: Db, asn: string, node: string): Promise<void> {
  await deleteHalfHours(tx, asn, node);
  await deleteSessionStates(tx, asn, node);
  await tx.deleteFrom("node_key_switches").where("asn", "=", asn).where("node", "=", node).execute();
  await tx.deleteFrom("peerings").where("asn", "=", asn).where("node", "=", node).execute();
}

/**
 * Gives a peering a higher generation than the deletion that its node stores. Needed if the database was lost or
 * replaced. Returns null when the peering has changed since `seen` was read.
 */
export async function bumpGeneration(db: Db, seen: DesiredPeering, applied: number): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await lockPeering(tx, seen);
    const generation = await takeGeneration(tx, seen.node, applied);
    const { numUpdatedRows } = await tx
      .updateTable("peerings")
      .set({ generation })
      .where("asn", "=", seen.asn)
      .where("node", "=", seen.node)
      .where("generation", "=", seen.generation)
      .executeTakeFirst();
    return numUpdatedRows === 1n ? generation : null;
  });
}

function fromRow(row: Selectable<Schema["peerings"]>): DesiredPeering {
  return {
    asn: row.asn,
    node: row.node,
    generation: row.generation,
    revision: row.revision,
    present: row.present === 1,
    request: JSON.parse(row.request) as PeeringRequest,
    peering: JSON.parse(row.peering) as DesiredPeering["peering"],
  };
}

function toRow({
  asn,
  node,
  generation,
  revision,
  present,
  request,
  peering,
}: DesiredPeering): Omit<Insertable<Schema["peerings"]>, "node_key"> {
  return {
    asn,
    node,
    generation,
    revision,
    present: present ? 1 : 0,
    request: JSON.stringify(request),
    peering: JSON.stringify(peering),
    listen_port: peering.listenPort,
    peer_ipv4: peering.peerIpv4,
    // A link-local address belongs to one interface, and several peerings of a node may have the same one.
    peer_ipv6: peering.peerIpv6 === null || isLinkLocal(peering.peerIpv6) ? null : peering.peerIpv6,
    public_key: peering.publicKey,
    tunnel_key: peering.nodeKey ?? null,
  };
}
