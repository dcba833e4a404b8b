/** Whether a PostgreSQL database belongs to a provider or to the demo. Nothing else protects it from the other. */
import { Kysely, sql } from "kysely";
import { migrationLimits } from "../database-limits.ts";
import type { Db } from "../open.ts";
import { postgresDialect } from "./pool.ts";

export type InstallationKind = "provider" | "demo";

/** Returns to whom a database belongs, before it is migrated; null if no server has used it. */
export async function readInstallationKind(url: string): Promise<InstallationKind | null> {
  await using db: Db = new Kysely({ dialect: postgresDialect(url, migrationLimits) });
  const { rows } = await sql`SELECT 1 WHERE to_regclass('installation') IS NOT NULL`.execute(db);
  if (rows.length === 0) return null;
  return (await db.selectFrom("installation").select("kind").executeTakeFirst())?.kind ?? null;
}

/** Stores to whom the database belongs from now on. */
export async function writeInstallationKind(db: Db, kind: InstallationKind): Promise<void> {
  await db
    .insertInto("installation")
    .values({ id: 1, kind })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ kind }))
    .execute();
}
