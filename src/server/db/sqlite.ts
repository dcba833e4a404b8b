import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { SqliteDialect } from "kysely";

const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];

/**
 * Kysely's own SQLite dialect over node:sqlite. WAL with synchronous FULL: what was acknowledged survives
 * a power cut. A locked database is waited for 5 s, then the statement fails.
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
