/** Whether a PostgreSQL database belongs to a provider or to the demo. Nothing else protects it from the other. */
import { Kysely, sql } from "kysely";
import { migrationLimits } from "../database-limits.ts";
import type { Db } from "../open.ts";
import { postgresDialect } from "./dialect.ts";
import { createPrimaryWatch } from "./primary-watch.ts";

export type InstallationKind = "provider" | "demo";

/**
 * Returns to whom a database belongs, before it is migrated; null if it is empty. A database of an earlier version with
 * accounts or nodes counts as a provider's.
 */
export async function readInstallationKind(url: string): Promise<InstallationKind | null> {
  const db = new Kysely<Record<string, Record<string, unknown>>>({
    dialect: postgresDialect(url, migrationLimits, createPrimaryWatch()),
  });
  try {
    if (await hasTable(db, "installation")) {
      const { rows } = await sql<{ kind: InstallationKind }>`SELECT kind FROM installation`.execute(db);
      if (rows[0]) return rows[0].kind;
    }
    for (const table of ["accounts", "peerings", "node_facts"]) {
      if (!(await hasTable(db, table))) continue;
      const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(db);
      if (rows.length > 0) return "provider";
    }
    return null;
  } finally {
    await db.destroy();
  }
}

async function hasTable(db: Kysely<Record<string, Record<string, unknown>>>, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: string | null }>`SELECT to_regclass(${name})::text AS found`.execute(
    db,
  );
  return rows[0]?.found !== null;
}

/** Stores to whom the database belongs from now on. */
export async function writeInstallationKind(db: Db, kind: InstallationKind): Promise<void> {
  await db
    .insertInto("installation")
    .values({ id: 1, kind })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ kind }))
    .execute();
}
