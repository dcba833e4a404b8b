import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { SqliteDialect, type SqliteStatement } from "kysely";

const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];

const emptyStatement: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

/**
 * Kysely's SQLite dialect over node:sqlite. WAL with synchronous FULL: committed data survives a power cut. A statement
 * waits 5 s for a locked database, then fails.
 */
export function sqliteDialect(path: string): SqliteDialect {
  return new SqliteDialect({
    database: async () => {
      const database = new DatabaseSync(path);
      for (const pragma of [
        "journal_mode = WAL",
        "synchronous = FULL",
        "busy_timeout = 5000",
        "foreign_keys = ON",
      ]) {
        database.exec(`PRAGMA ${pragma}`);
      }
      return {
        close: () => database.close(),
        prepare: (sql) => {
          // On a full disk SQLite rolls back by itself. Another rollback would fail and hide the cause.
          if (sql === "rollback" && !database.isTransaction) return emptyStatement;
          const statement = database.prepare(sql);
          return {
            reader: statement.columns().length > 0,
            all: (parameters) => statement.all(...bind(parameters)),
            run: (parameters) => statement.run(...bind(parameters)),
            iterate: (parameters) => statement.iterate(...bind(parameters)),
          };
        },
      };
    },
  });
}
