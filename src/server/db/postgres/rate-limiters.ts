import { CompiledQuery, type Kysely } from "kysely";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import type { CreateRateLimiter } from "../rate-limiters.ts";
import type { Schema } from "../schema/schema.ts";
import { OutcomeUnknownError } from "../unavailable.ts";

/** Creates rate limiters that count in the database. Each statement counts atomically, by the clock of its server. */
export function createPostgresRateLimiters(db: Kysely<Schema>): CreateRateLimiter {
  // The library's name for the statement is ignored: poolers do not know prepared statements.
  const storeClient = {
    async query({ text, values }: { readonly text: string; readonly values: unknown[] }) {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values)).catch(throwCause);
      return { rows, rowCount: rows.length };
    },
  };
  return (options) =>
    new RateLimiterPostgres({
      ...options,
      storeClient,
      storeType: "client",
      tableName: "rate_limits",
      tableCreated: true,
    });
}

/** A count that may be lost is no change of the participant's. */
function throwCause(error: unknown): never {
  throw error instanceof OutcomeUnknownError ? error.cause : error;
}
