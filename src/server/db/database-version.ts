/** Which databases this version can use, by the names of the migrations that they have (decision 45). */
import { type Kysely, PostgresAdapter, sql } from "kysely";

/** The database is newer than this version, or older than it can migrate. The message is for the operator. */
export class DatabaseVersionError extends Error {
  override readonly name = "DatabaseVersionError";
}

export interface DatabaseVersionFault {
  readonly age: "newer" | "older";
  /** The migrations that this version does not have. */
  readonly unknown: readonly string[];
}

/**
 * Returns why the migrations of this version do not continue those of a database; null if they do. A newer version has
 * higher names. An older database has migrations that this version no longer has.
 */
export function findVersionFault(
  applied: readonly string[],
  known: readonly string[],
): DatabaseVersionFault | null {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return null;
  const last = known.toSorted().at(-1) ?? "";
  return { age: unknown.every((name) => name > last) ? "newer" : "older", unknown };
}

/**
 * Returns the names of the migrations that a database has; none for an empty database. Writes nothing.
 *
 * @throws {DatabaseVersionError} if the migrations of this version do not continue them
 */
export async function readUsableVersion<Tables>(
  db: Kysely<Tables>,
  known: readonly string[],
): Promise<readonly string[]> {
  const applied = await readAppliedMigrations(db);
  const fault = findVersionFault(applied, known);
  if (fault?.age === "newer") {
    throw new DatabaseVersionError(
      `The database was not changed, because a newer version of Peerdeck has migrated it (${fault.unknown.join(", ")}): ` +
        "start that version, or restore a backup that this version has made.",
    );
  }
  if (fault || (applied.length === 0 && (await hasTable(db, "accounts")))) {
    throw new DatabaseVersionError(
      "The database was not changed, because it is from an older version of Peerdeck that this one cannot migrate: start " +
        "the version that has made it, or set DATA_DIR or DATABASE_URL to an empty database.",
    );
  }
  return applied;
}

/** Returns the names of the migrations that a database has; none if it is not one of Peerdeck. Writes nothing. */
export async function readAppliedMigrations<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  if (!(await hasTable(db, "kysely_migration"))) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Whether a database has a table. Writes nothing. */
export async function hasTable<Tables>(db: Kysely<Tables>, name: string): Promise<boolean> {
  const query = isPostgres(db)
    ? sql`SELECT 1 WHERE to_regclass(${name}) IS NOT NULL`
    : sql`SELECT 1 FROM sqlite_schema WHERE name = ${name}`;
  return (await query.execute(db)).rows.length > 0;
}

/** Whether statements are for PostgreSQL, and not for SQLite. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
