import type { GenericSchema, InferInput, InferOutput } from "valibot";

/**
 * One row of the wire: where a call lives, what goes in, what comes back.
 *
 * `access` says who may call: `public` anybody, `session` only a signed-in AS. A session call's body
 * carries a `username`, and the server refuses one that is not the session's (403).
 */
export interface Call<
  Body extends GenericSchema | null = GenericSchema | null,
  Answer extends GenericSchema = GenericSchema,
> {
  readonly method: "GET" | "POST";
  readonly path: `/${string}`;
  readonly access: "public" | "session";
  readonly summary: string;
  /** A read whose last good answer the device keeps, for when the server gives none. */
  readonly kept?: true;
  /** Its answer takes as long as a router does, which says nothing of the way to the server (`patience.ts`). */
  readonly slow?: true;
  /** Null where the call takes no body. */
  readonly body: Body;
  readonly answer: Answer;
  /** Statuses other than 2xx that callers are expected to tell apart, each with its meaning. */
  readonly refusals: Readonly<Partial<Record<RefusalStatus, string>>>;
}

/** Every status that the server may answer besides 200; all of them carry a `Failure`. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503;

/** What a caller hands over, before the schema's defaults are filled in. */
export type CallInput<C extends Call> = C["body"] extends GenericSchema ? InferInput<C["body"]> : undefined;
/** What a handler receives, after the schema's defaults were filled in. */
export type CallBody<C extends Call> = C["body"] extends GenericSchema ? InferOutput<C["body"]> : undefined;
export type CallAnswer<C extends Call> = InferOutput<C["answer"]>;

/** Keeps the exact type of a table of calls while checking each row. */
export function defineCalls<const T extends Record<string, Call>>(table: T): T {
  return table;
}
