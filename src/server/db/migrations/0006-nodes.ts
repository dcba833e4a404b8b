/** The provider's nodes, nodes that may join, and where servers connect from. */
import type { Kysely } from "kysely";
import { notNull, primaryKey } from "./0001-initial/columns.ts";

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("nodes")
    .addColumn("name", "text", primaryKey)
    .addColumn("position", "integer", notNull)
    .addColumn("place", "text", notNull)
    .addColumn("lat", "double precision")
    .addColumn("lon", "double precision")
    .addColumn("public_ip", "text", notNull)
    .addColumn("endpoints", "text", notNull)
    .addColumn("tunnel_ipv4", "text")
    .addColumn("link_local", "text", notNull)
    .addColumn("state", "text", notNull)
    .addColumn("max_peerings", "integer")
    .addColumn("agent_url", "text")
    .addColumn("agent_fingerprint", "text")
    .addColumn("joined_at", "bigint", notNull)
    .execute();
  await schema
    .createTable("nodes_taken_over")
    .addColumn("id", "integer", primaryKey)
    .addColumn("at", "bigint", notNull)
    .execute();
  await schema
    .createTable("node_joins")
    .addColumn("token", "text", primaryKey)
    .addColumn("node", "text", notNull)
    .addColumn("place", "text", notNull)
    .addColumn("lat", "double precision")
    .addColumn("lon", "double precision")
    .addColumn("secret", "text", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("expires_at", "bigint", notNull)
    .addColumn("wrong_proofs", "integer", notNull)
    .addColumn("used_at", "bigint")
    .execute();
  await schema
    .createTable("removed_nodes")
    .addColumn("id", "text", primaryKey)
    .addColumn("name", "text", notNull)
    .addColumn("agent_url", "text")
    .addColumn("agent_fingerprint", "text")
    .addColumn("removed_at", "bigint", notNull)
    .addColumn("peerings", "text", notNull)
    .execute();
  await schema
    .createTable("server_addresses")
    .addColumn("address", "text", primaryKey)
    .addColumn("is_manual", "integer", notNull)
    .addColumn("seen_at", "bigint", notNull)
    .execute();
  await addNodeKeys(schema);
}

/** A node has several WireGuard keys while its peerings move to another one. */
async function addNodeKeys(schema: Kysely<unknown>["schema"]): Promise<void> {
  await schema.alterTable("node_facts").addColumn("added_keys", "text").execute();
  await schema.alterTable("node_facts").addColumn("current_key", "text").execute();
  await schema.alterTable("peerings").addColumn("tunnel_key", "text").execute();
  await schema
    .createTable("node_rekeys")
    .addColumn("node", "text", primaryKey)
    .addColumn("id", "text", notNull)
    .addColumn("old_key", "text")
    .addColumn("new_key", "text")
    .addColumn("created_at", "bigint", notNull)
    .addColumn("announced_at", "bigint")
    .addColumn("switch_at", "bigint", notNull)
    .addColumn("cancelled_at", "bigint")
    .execute();
  await schema
    .createTable("node_key_switches")
    .addColumn("asn", "text", notNull)
    .addColumn("node", "text", notNull)
    .addColumn("task", "text", notNull)
    .addColumn("by_server", "integer", notNull)
    .addColumn("deployed_at", "bigint")
    .addColumn("watched_from", "bigint")
    .addColumn("seen_at", "bigint")
    .addColumn("return_task", "text")
    .addPrimaryKeyConstraint("node_key_switches_pk", ["asn", "node"])
    .execute();
}
