/** Nodes, peerings and their deployments. */
import type { Kysely } from "kysely";
import { notNull, primaryKey } from "./columns.ts";

export async function createPeeringTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("node_facts")
    .addColumn("node", "text", primaryKey)
    .addColumn("public_key", "text", notNull)
    .addColumn("agent_version", "text")
    .addColumn("seen_at", "bigint", notNull)
    .addColumn("key_since", "bigint", notNull)
    .addColumn("notified_key", "text", notNull)
    .addColumn("notified_at", "bigint")
    .execute();
  await schema
    .createTable("peerings")
    .addColumn("asn", "text", notNull)
    .addColumn("node", "text", notNull)
    .addColumn("generation", "bigint", notNull)
    .addColumn("revision", "bigint", notNull)
    .addColumn("present", "integer", notNull)
    .addColumn("request", "text", notNull)
    .addColumn("peering", "text", notNull)
    .addColumn("listen_port", "integer", notNull)
    .addColumn("peer_ipv4", "text")
    .addColumn("peer_ipv6", "text")
    .addColumn("public_key", "text", notNull)
    .addColumn("node_key", "text")
    .addPrimaryKeyConstraint("peerings_pk", ["asn", "node"])
    .addUniqueConstraint("peerings_listen_port", ["node", "listen_port"])
    .addUniqueConstraint("peerings_peer_ipv4", ["node", "peer_ipv4"])
    .addUniqueConstraint("peerings_peer_ipv6", ["node", "peer_ipv6"])
    .addUniqueConstraint("peerings_public_key", ["node", "public_key"])
    .execute();
  // A submit looks for its public key on every node.
  await schema.createIndex("peerings_by_public_key").on("peerings").column("public_key").execute();
  await schema
    .createTable("tasks")
    .addColumn("id", "text", primaryKey)
    .addColumn("asn", "text", notNull)
    .addColumn("node", "text", notNull)
    .addColumn("kind", "text", notNull)
    .addColumn("status", "text", notNull)
    .addColumn("generation", "bigint", notNull)
    .addColumn("request", "text")
    .addColumn("previous", "text")
    .addColumn("quip", "text", notNull)
    .addColumn("steps", "text", notNull)
    .addColumn("reason", "text", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("deadline_at", "bigint", notNull)
    .addColumn("ended_at", "bigint")
    .execute();
  await schema
    .createIndex("tasks_one_unfinished")
    .unique()
    .on("tasks")
    .columns(["asn", "node"])
    .where("status" as never, "=", "waiting")
    .execute();
  await schema.createIndex("tasks_by_end").on("tasks").column("ended_at").execute();
  await schema.createIndex("tasks_by_peering").on("tasks").columns(["asn", "node", "created_at"]).execute();
  await schema
    .createTable("peering_conflicts")
    .addColumn("node", "text", notNull)
    .addColumn("asn", "text", notNull)
    .addColumn("generation", "bigint", notNull)
    .addColumn("reason", "text", notNull)
    .addColumn("peering", "text")
    .addPrimaryKeyConstraint("peering_conflicts_pk", ["node", "asn"])
    .execute();
}
