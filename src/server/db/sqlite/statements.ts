/** Prepared statements of a SQLite connection. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { CompiledQuery, QueryResult } from "kysely";

/** More than the server has, without lists of different lengths. */
const maxStatements = 500;

interface Statements {
  run<R>(query: CompiledQuery): QueryResult<R>;
}

/** Caches statements by their text, the least recently used first. Preparing one takes longer than most of them run. */
export function createStatements(database: DatabaseSync): Statements {
  const cached = new Map<string, StatementSync>();

  function prepare(text: string): StatementSync {
    const statement = cached.get(text) ?? database.prepare(text);
    cached.delete(text);
    cached.set(text, statement);
    const [oldest] = cached.keys();
    if (cached.size > maxStatements && oldest !== undefined) cached.delete(oldest);
    return statement;
  }

  return { run: (query) => run(prepare(query.sql), query) };
}

function run<R>(statement: StatementSync, { parameters }: CompiledQuery): QueryResult<R> {
  const bound = parameters as SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...bound) as R[] };
  const { changes, lastInsertRowid } = statement.run(...bound);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}
