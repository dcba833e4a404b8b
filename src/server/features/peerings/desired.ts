import { type Insertable, type Selectable, sql } from "kysely";
import type { Peering } from "../../../contract/agent.ts";
import type { TakenOnNode } from "../../../domain/complete-peering.ts";
import type { PeeringRequest } from "../../../domain/peering-rules.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema.ts";

/** What shall run on a node for an AS. */
export interface DesiredPeering {
  readonly asn: string;
  readonly node: string;
  readonly generation: number;
  /** The generation that brought its content. */
  readonly revision: number;
  /** False while it is being deleted. */
  readonly present: boolean;
  /** What was asked for. */
  readonly request: PeeringRequest;
  /** What the agent gets. */
  readonly peering: Peering;
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

export async function desiredOfAs(db: Db, asn: string): Promise<DesiredPeering[]> {
  const rows = await db.selectFrom("peerings").selectAll().where("asn", "=", asn).orderBy("node").execute();
  return rows.map(fromRow);
}

export async function desiredOnNode(db: Db, node: string): Promise<DesiredPeering[]> {
  const rows = await db.selectFrom("peerings").selectAll().where("node", "=", node).execute();
  return rows.map(fromRow);
}

/** Writes the desired peering in place of the one before. Rejects when a value is taken on the node. */
export async function putDesired(tx: Db, desired: DesiredPeering): Promise<void> {
  const { asn: _asn, node: _node, ...changes } = toRow(desired);
  await tx
    .insertInto("peerings")
    .values(toRow(desired))
    .onConflict((conflict) => conflict.columns(["asn", "node"]).doUpdateSet(changes))
    .execute();
}

export async function removeDesired(tx: Db, asn: string, node: string): Promise<void> {
  await tx.deleteFrom("peerings").where("asn", "=", asn).where("node", "=", node).execute();
}

/**
 * What other peerings hold on the node. What an unfinished deployment would restore counts too: nobody may
 * take an address that its holder may fall back to. Public keys count on every node.
 */
export async function takenByOthers(tx: Db, asn: string, node: string): Promise<TakenOnNode> {
  const rows = await tx.selectFrom("peerings").select(["node", "peering"]).where("asn", "!=", asn).execute();
  const unfinished = await tx
    .selectFrom("tasks")
    .select(["node", "previous"])
    .where("status", "=", sql.lit("waiting"))
    .where("asn", "!=", asn)
    .execute();
  const held = [
    ...rows.map((row) => ({ node: row.node, peering: JSON.parse(row.peering) as Peering })),
    ...unfinished.flatMap(({ node: where, previous }) =>
      previous === null ? [] : [{ node: where, peering: (JSON.parse(previous) as DesiredPeering).peering }],
    ),
  ];
  const here = held.filter((entry) => entry.node === node).map((entry) => entry.peering);
  const addresses = here.flatMap(({ peerIpv4, peerIpv6 }) => [peerIpv4, peerIpv6]);
  return {
    ports: new Set(here.map(({ listenPort }) => listenPort)),
    peerAddresses: new Set(addresses.filter((address) => address !== null)),
    publicKeys: new Set(held.map(({ peering }) => peering.publicKey)),
  };
}

function fromRow(row: Selectable<Schema["peerings"]>): DesiredPeering {
  return {
    asn: row.asn,
    node: row.node,
    generation: row.generation,
    revision: row.revision,
    present: row.present === 1,
    request: JSON.parse(row.request) as PeeringRequest,
    peering: JSON.parse(row.peering) as Peering,
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
}: DesiredPeering): Insertable<Schema["peerings"]> {
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
    peer_ipv6: peering.peerIpv6,
    public_key: peering.publicKey,
  };
}
