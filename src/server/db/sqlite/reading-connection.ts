/**
 * The connection that reads outside of transactions, beside the one that writes: in WAL mode neither waits for the other.
 *
 * Invariant: it reads only what is on disk. While a commit is written to disk, it reads the state before the commit, so
 * nothing that a power cut could undo leaves the server (decision 75).
 */
import type { DatabaseSync } from "node:sqlite";
import type { CompiledQuery, QueryResult } from "kysely";
import { createStatements } from "./statements.ts";

export interface ReadingConnection {
  run<R>(query: CompiledQuery): QueryResult<R>;
  /** Later reads see the present state, until `release`. */
  holdState(): void;
  /** Later reads see the latest commit. */
  release(): void;
  close(): void;
}

/** @param database read-only */
export function createReadingConnection(database: DatabaseSync): ReadingConnection {
  const statements = createStatements(database);
  const takeSnapshot = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1");
  return {
    run: (query) => statements.run(query),
    holdState: () => {
      if (database.isTransaction) return;
      database.exec("BEGIN");
      // SQLite takes the snapshot with the first read.
      takeSnapshot.get();
    },
    release: () => {
      if (database.isTransaction) database.exec("COMMIT");
    },
    close: () => database.close(),
  };
}
