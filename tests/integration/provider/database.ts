/** The database of a provider's server. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createTestDatabase, runSql, type TestDatabase } from "../../support/databases.ts";
import type { Settings } from "./provider.ts";

export interface ServerDatabase {
  /** What selects it, besides the data folder. */
  readonly settings: Settings;
  /** Returns the rows of a statement. */
  readonly query: (statement: string) => Promise<ReadonlyArray<Record<string, unknown>>>;
}

/** @param parts removes it */
export async function createServerDatabase(
  kind: TestDatabase["kind"],
  dataDir: string,
  parts: AsyncDisposableStack,
): Promise<ServerDatabase> {
  return kind === "sqlite" ? sqliteIn(dataDir) : postgresAt(parts.use(await createTestDatabase()).url);
}

export function sqliteIn(dataDir: string): ServerDatabase {
  return {
    settings: {},
    query: async (statement) => {
      using database = new DatabaseSync(join(dataDir, "peerdeck.sqlite"), { timeout: 5_000 });
      return database.prepare(statement).all();
    },
  };
}

export function postgresAt(url: string): ServerDatabase {
  return {
    settings: { DATABASE_URL: url },
    query: (statement) => runSql(url, statement),
  };
}

/** Returns the statement that adds the row of a node again, as a join does. */
export function insertNode(row: Readonly<Record<string, unknown>>): string {
  const values = Object.values(row).map((value) =>
    value === null ? "NULL" : `'${value as string | number}'`,
  );
  return `INSERT INTO nodes (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")})`;
}
