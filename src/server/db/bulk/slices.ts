/**
 * Long work in slices, so that requests are served in between. SQLite's statements are synchronous: awaiting one lets nothing
 * else run.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type ExpressionBuilder, type SqlBool, type Expression, sql } from "kysely";
import { isPostgres } from "../database-version.ts";
import type { Db } from "../open.ts";
import type { Schema } from "../schema/schema.ts";

/** Rows of a slice: it takes some milliseconds. */
export const sliceSize = 512;

/** Lets everything that waits run. */
export async function yieldToOthers(): Promise<void> {
  await nextTurn();
}

/** Longer turns make requests wait. */
const maxTurnMs = 10;

interface Slices {
  /** Lets everything that waits run if this turn has taken long. Call it after each item. */
  yieldWhenLong(): Promise<void> | undefined;
}

/** Divides work on many items, of which each takes microseconds. */
export function createSlices(): Slices {
  let startedAt = performance.now();

  async function beginNext(): Promise<void> {
    await yieldToOthers();
    startedAt = performance.now();
  }

  return { yieldWhenLong: () => (performance.now() - startedAt < maxTurnMs ? undefined : beginNext()) };
}

/** Deletes rows, a slice at a time. */
export async function deleteInSlices<Table extends keyof Schema>(
  db: Db,
  table: Table,
  condition: (row: ExpressionBuilder<Schema, Table>) => Expression<SqlBool>,
): Promise<void> {
  const id = sql.ref(isPostgres(db) ? "ctid" : "rowid");
  const name: keyof Schema = table;
  for (;;) {
    const expired = db
      .selectFrom(name)
      .select(id.as("row"))
      .where(condition as never)
      .limit(sliceSize);
    const { numDeletedRows } = await db
      .deleteFrom(name)
      .where(sql<SqlBool>`${id} IN (${expired})`)
      .executeTakeFirst();
    if (numDeletedRows < sliceSize) return;
    await yieldToOthers();
  }
}
