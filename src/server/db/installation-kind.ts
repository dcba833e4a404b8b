/**
 * Whether a database belongs to a provider or to the demo. The first server that uses a database stores it, and it never
 * changes: a demo would change a provider's data, and a provider's server would mail and deploy what a demo has invented.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Kysely } from "kysely";
import { ConfigError } from "../../system/config/config-error.ts";
import { migrationLimits } from "./database-limits.ts";
import { hasTable } from "./database-version.ts";
import type { Db } from "./open.ts";
import { postgresDialect } from "./postgres/pool.ts";
import type { Schema } from "./schema/schema.ts";
import { readOnlySqliteDialect } from "./sqlite/dialect.ts";

export type InstallationKind = "provider" | "demo";

/** A server's database and folder: without a URL the database is a file in the folder. */
interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
}

/**
 * Checks that a server of this kind may use the database and the data folder. Changes nothing.
 *
 * @throws {ConfigError} if they belong to the other kind
 */
export async function assertInstallationKind(place: Place, kind: InstallationKind): Promise<void> {
  const stored = await readInstallationKind(place);
  if (stored !== null && stored !== kind) throw createKindError(place, stored);
  if (stored === null && kind === "demo" && hasIdentity(place))
    throw createKindError({ ...place, databaseUrl: null }, "provider");
}

/**
 * Stores to whom the database belongs, unless a server has done so before.
 *
 * @throws {ConfigError} if it belongs to the other kind; nothing is changed then
 */
export async function claimDatabase(db: Db, kind: InstallationKind, place: Place): Promise<void> {
  await db
    .insertInto("installation")
    .values({ id: 1, kind })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await readStoredKind(db);
  if (stored !== null && stored !== kind) throw createKindError(place, stored);
}

/** Returns to whom a database belongs, before it is migrated; null if no server has used it. */
async function readInstallationKind({ dataDir, databaseUrl }: Place): Promise<InstallationKind | null> {
  const path = join(dataDir, "peerdeck.sqlite");
  if (databaseUrl === null && !existsSync(path)) return null;
  const dialect =
    databaseUrl === null ? readOnlySqliteDialect(path) : postgresDialect(databaseUrl, migrationLimits);
  await using db = new Kysely<Schema>({ dialect });
  if (!(await hasTable(db, "installation"))) return null;
  return (await readStoredKind(db)) ?? ((await hasParticipants(db)) ? "provider" : null);
}

async function readStoredKind(db: Db): Promise<InstallationKind | null> {
  return (await db.selectFrom("installation").select("kind").executeTakeFirst())?.kind ?? null;
}

/**
 * Whether a database without a stored kind is in use, for example by a server that ended before it stored the kind. A demo
 * has always stored it before its first account.
 */
async function hasParticipants(db: Db): Promise<boolean> {
  const account = await db.selectFrom("accounts").select("asn").limit(1).executeTakeFirst();
  const peering = await db.selectFrom("peerings").select("asn").limit(1).executeTakeFirst();
  return account !== undefined || peering !== undefined;
}

/** The demo has no identity, because its agents run in the same process. With PostgreSQL too, it is in the data folder. */
function hasIdentity({ dataDir }: Place): boolean {
  return existsSync(join(dataDir, "identity"));
}

function createKindError({ dataDir, databaseUrl }: Place, stored: InstallationKind): ConfigError {
  const isSqlite = databaseUrl === null;
  const where = isSqlite ? `The folder ${dataDir}` : "The database in DATABASE_URL";
  const other = isSqlite ? "DATA_DIR to another folder" : "DATABASE_URL to an empty database";
  return new ConfigError(
    stored === "provider"
      ? `${where} contains a provider's data, which the demo would change. Nothing was started. Set PEERDECK_CONFIG to the provider profile, or ${other}.`
      : `${where} contains a demo's data, which a provider's server would use as its own. Nothing was started. Set ${other}, or unset PEERDECK_CONFIG to start the demo.`,
  );
}
