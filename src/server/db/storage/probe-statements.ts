/** The statements of the check that the database can be written. */
import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema/schema.ts";

/** What a login or a change writes at most. */
const probeBytes = 64 * 1024;

/**
 * Lets SQLite write this much at the commit, into pages that are free again afterwards (`secure_delete` overwrites them). A
 * full disk may still have room for the one page of a small change.
 */
export async function fillPages(tx: Kysely<Schema>): Promise<void> {
  const name = "write check";
  await sql`INSERT INTO counters (name, value) VALUES (${name}, randomblob(${sql.lit(probeBytes)}))`.execute(
    tx,
  );
  await sql`DELETE FROM counters WHERE name = ${name}`.execute(tx);
}

/** Writes the row of the server's time as it is. */
export async function rewriteTime(tx: Kysely<Schema>): Promise<void> {
  await tx
    .updateTable("server_time")
    .set((columns) => ({ at: columns.ref("at") }))
    .execute();
}

/**
 * Lets PostgreSQL write a file of some 300 KB beside its tables and remove it. On a full disk, rows that are written into
 * space that a table already has are accepted; others are not.
 */
export async function fillTemporaryFile(tx: Kysely<Schema>): Promise<void> {
  await sql`SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)`.execute(
    tx,
  );
  await sql`SELECT count(*) FROM generate_series(1, 20000)`.execute(tx);
}
