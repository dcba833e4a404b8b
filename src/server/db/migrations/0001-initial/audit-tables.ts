/**
 * The audit log. Addresses are in a table of their own: they are deleted earlier, and no event is ever changed.
 * Triggers refuse changes of both tables, and the deletion of events that are younger than 30 days, the shortest time
 * that a provider profile can set.
 */
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { notNull, primaryKey } from "./columns.ts";

export async function createAuditTables(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("audit_events")
    .addColumn("id", "text", primaryKey)
    .addColumn("at", "bigint", notNull)
    .addColumn("kind", "text", notNull)
    .addColumn("asn", "text")
    .addColumn("node", "text")
    .addColumn("task", "text")
    .addColumn("before", "text")
    .addColumn("after", "text")
    .addColumn("detail", "text")
    .addColumn("login_session", "text")
    .addColumn("request", "text")
    .execute();
  await schema.createIndex("audit_events_by_asn").on("audit_events").columns(["asn", "id"]).execute();
  await schema
    .createTable("audit_addresses")
    .addColumn("event", "text", (column) =>
      primaryKey(column).references("audit_events.id").onDelete("cascade"),
    )
    .addColumn("prefix", "text", notNull)
    .execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter) await createPostgresTriggers(db);
  else await createSqliteTriggers(db);
  await createAgentEventTables(db);
}

/** Which events of agents the log has, and how far each node's list was read. A row is deleted with its event. */
async function createAgentEventTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("agent_events")
    .addColumn("node", "text", notNull)
    .addColumn("id", "text", notNull)
    .addColumn("event", "text", (column) =>
      column.notNull().unique().references("audit_events.id").onDelete("cascade"),
    )
    .addPrimaryKeyConstraint("agent_events_pk", ["node", "id"])
    .execute();
  await schema
    .createTable("agent_event_positions")
    .addColumn("node", "text", primaryKey)
    .addColumn("id", "text", notNull)
    .addColumn("number", "bigint", notNull)
    .execute();
}

const refusal = "the audit log is append-only";
const minAgeMs = 30 * 24 * 3_600_000;

async function createSqliteTriggers(db: Kysely<unknown>): Promise<void> {
  const refuse = sql`BEGIN SELECT RAISE(ABORT, ${sql.lit(refusal)}); END`;
  for (const table of ["audit_events", "audit_addresses"]) {
    const name = sql.id(`${table}_update`);
    await sql`CREATE TRIGGER ${name} BEFORE UPDATE ON ${sql.id(table)} ${refuse}`.execute(db);
  }
  const now = sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
  await sql`
    CREATE TRIGGER audit_events_delete BEFORE DELETE ON audit_events
    WHEN OLD.at > ${now} - ${sql.lit(minAgeMs)} ${refuse}
  `.execute(db);
}

async function createPostgresTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
    ${sql.lit(`BEGIN RAISE EXCEPTION '${refusal}'; END`)}
  `.execute(db);
  for (const table of ["audit_events", "audit_addresses"]) {
    await sql`
      CREATE TRIGGER ${sql.id(`${table}_update`)} BEFORE UPDATE ON ${sql.id(table)}
      FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()
    `.execute(db);
    await sql`
      CREATE TRIGGER ${sql.id(`${table}_truncate`)} BEFORE TRUNCATE ON ${sql.id(table)}
      EXECUTE FUNCTION refuse_audit_change()
    `.execute(db);
  }
  const now = sql`(extract(epoch FROM clock_timestamp()) * 1000)`;
  await sql`
    CREATE TRIGGER audit_events_delete BEFORE DELETE ON audit_events
    FOR EACH ROW WHEN (OLD.at > ${now} - ${sql.lit(minAgeMs)}) EXECUTE FUNCTION refuse_audit_change()
  `.execute(db);
}
