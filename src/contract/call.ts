import type { GenericSchema, InferInput, InferOutput } from "valibot";

/**
 * One call of the API: its path, its request body and its response.
 *
 * `access` is `public`, or `participant` for a logged-in AS only. The body of a participant's call contains a
 * `username`; the server rejects one that is not of the login session (403). Without a body, the response is the same for
 * every participant.
 */
export interface Call<
  Body extends GenericSchema | null = GenericSchema | null,
  Response extends GenericSchema = GenericSchema,
> {
  readonly method: "GET" | "POST";
  readonly path: `/${string}`;
  readonly access: "public" | "participant";
  /** A read whose last good response the device caches, for when the server does not respond. */
  readonly cached?: true;
  /**
   * Its response has an ETag, and 304 answers a request that has the same one. The response is `no-store` like all of them: a
   * cache of the browser would keep it after a logout. The service worker keeps a `cached` one for its owner, and sends its ETag.
   */
  readonly hasEtag?: true;
  /** Its response waits for a router, so a long wait does not mean a slow connection (`timeouts.ts`). */
  readonly slow?: true;
  /** How much of a response the server reads of an agent, if it is more than the default of the transport. */
  readonly maxResponseBytes?: number;
  /** How much of a body a server or an agent reads, if it is more than its default. */
  readonly maxBodyBytes?: number;
  /** Null if the call takes no body. */
  readonly body: Body;
  /** What our server sends. */
  readonly response: Response;
  /** What the app accepts, where it accepts more than `response` (`lenient.ts`). */
  readonly accepted?: GenericSchema;
  /** Pages of every site may read its response, without cookies (CORS); it says nothing of the caller. */
  readonly crossOrigin?: true;
  /** Beyond the specification: a server may lack it and respond with 404. */
  readonly optional?: true;
}

/** Every status besides 200. Its response body is an `ErrorBody`. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503;

/** What a caller passes, before the defaults of the schema are filled in. */
export type CallInput<C extends Call> = C["body"] extends GenericSchema ? InferInput<C["body"]> : undefined;
/** What a handler receives, after the defaults of the schema are filled in. */
export type CallBody<C extends Call> = C["body"] extends GenericSchema ? InferOutput<C["body"]> : undefined;
/** What a handler returns. */
export type CallResponse<C extends Call> = InferOutput<C["response"]>;
/** What the app receives. */
export type AcceptedResponse<C extends Call> = C extends { readonly accepted: infer S extends GenericSchema }
  ? InferOutput<S>
  : CallResponse<C>;

/** Keeps the exact type of a table of calls while checking each row. */
export function defineCalls<const T extends Record<string, Call>>(table: T): T {
  return table;
}
