import type { Kysely } from "kysely";
import { notNull, primaryKey } from "./columns.ts";

export async function createObservationTables(db: Kysely<unknown>): Promise<void> {
  await createNodeTables(db);
  await createPeeringTables(db);
}

async function createNodeTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("node_samples")
    .addColumn("node", "text", notNull)
    .addColumn("at", "bigint", notNull)
    .addColumn("state", "text", notNull)
    .addColumn("cpu_percent", "real")
    .addColumn("memory_percent", "real")
    .addColumn("routes_ipv4", "integer")
    .addColumn("routes_ipv6", "integer")
    .addPrimaryKeyConstraint("node_samples_pk", ["node", "at"])
    .execute();
  await schema
    .createTable("node_quarters")
    .addColumn("node", "text", notNull)
    .addColumn("quarter", "bigint", notNull)
    .addColumn("ok", "integer", notNull)
    .addColumn("issues", "integer", notNull)
    .addColumn("down", "integer", notNull)
    .addColumn("cpu_sum", "double precision", notNull)
    .addColumn("cpu_count", "integer", notNull)
    .addColumn("last_at", "bigint", notNull)
    .addColumn("last_state", "text", notNull)
    .addPrimaryKeyConstraint("node_quarters_pk", ["node", "quarter"])
    .execute();
  await schema
    .createTable("node_days")
    .addColumn("node", "text", notNull)
    .addColumn("day", "bigint", notNull)
    .addColumn("ok", "integer", notNull)
    .addColumn("issues", "integer", notNull)
    .addColumn("down", "integer", notNull)
    .addPrimaryKeyConstraint("node_days_pk", ["node", "day"])
    .execute();
  await schema
    .createTable("node_summaries")
    .addColumn("node", "text", primaryKey)
    .addColumn("half_hours", "text", notNull)
    .addColumn("uptime", "double precision", notNull)
    .addColumn("peerings", "integer", notNull)
    .addColumn("last_at", "bigint", notNull)
    .addColumn("last_state", "text", notNull)
    .execute();
}

async function createPeeringTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("traffic_samples")
    .addColumn("node", "text", notNull)
    .addColumn("asn", "text", notNull)
    .addColumn("at", "bigint", notNull)
    .addColumn("received", "bigint", notNull)
    .addColumn("sent", "bigint", notNull)
    .addPrimaryKeyConstraint("traffic_samples_pk", ["asn", "node", "at"])
    .execute();
  await schema.createIndex("traffic_samples_by_time").on("traffic_samples").column("at").execute();
  await schema
    .createTable("current_half_hours")
    .addColumn("asn", "text", notNull)
    .addColumn("node", "text", notNull)
    .addColumn("at", "bigint", notNull)
    .addColumn("up", "integer", notNull)
    .addColumn("down", "integer", notNull)
    .addColumn("latencies", "text", notNull)
    .addColumn("accepted", "bigint")
    .addColumn("refused", "bigint")
    .addColumn("bytes", "bigint")
    .addColumn("received", "bigint", notNull)
    .addColumn("sent", "bigint", notNull)
    .addPrimaryKeyConstraint("current_half_hours_pk", ["asn", "node"])
    .execute();
  await schema
    .createTable("past_half_hours")
    .addColumn("asn", "text", notNull)
    .addColumn("node", "text", notNull)
    .addColumn("newest", "bigint", notNull)
    .addColumn("half_hours", "text", notNull)
    .addPrimaryKeyConstraint("past_half_hours_pk", ["asn", "node"])
    .execute();
  await schema.createIndex("past_half_hours_by_time").on("past_half_hours").column("newest").execute();
}
