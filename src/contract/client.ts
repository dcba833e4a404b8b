import * as v from "valibot";
import type { AcceptedResponse, Call, CallInput, CallResponse } from "./call.ts";
import { type ErrorBody, errorBody } from "./http-error.ts";

/** Carries a call: `fetch` in the browser, pinned TLS to an agent, or a handler in the same process. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export interface TransportRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** `Call.slow` */
  readonly slow?: boolean;
  /** `Call.maxResponseBytes` */
  readonly maxResponseBytes?: number | undefined;
  /** An `AbortSignal`. The contract has neither the types of the DOM nor those of Node. */
  readonly signal: unknown;
}

export interface TransportResponse {
  readonly status: number;
  /** When it was sent, by the clock of the other side, in milliseconds since 1970; not every transport knows it. */
  readonly sentAt?: number;
  /** Returns a header by its lower-case name, or null; absent from transports without headers. */
  readonly header?: (name: string) => string | null;
  readonly text: () => Promise<string>;
}

/** An error response, or a 2xx response that cannot be read (status 502). */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly status: number;
  readonly body: ErrorBody;

  constructor(path: string, status: number, body: ErrorBody) {
    super(`${path} responded with ${status}: ${body.message}`);
    this.status = status;
    this.body = body;
  }
}

/** A 2xx response that does not have the shape of the contract, for example a page of HTML. */
export class UnreadableResponseError extends CallError {
  constructor(path: string) {
    super(path, 502, { message: "The response could not be read." });
  }
}

export interface CallOptions {
  readonly signal?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Caller = <C extends Call>(
  call: C,
  body: CallInput<C>,
  options?: CallOptions,
) => Promise<CallResponse<C>>;

/** The same, with what the app accepts from any server that speaks the specification. */
export type LenientCaller = <C extends Call>(
  call: C,
  body: CallInput<C>,
  options?: CallOptions,
) => Promise<AcceptedResponse<C>>;

/**
 * Creates a function that makes any call of a table over the transport. Responses have to keep the contract's promise.
 *
 * It rejects with `CallError` for an error response, with `UnreadableResponseError` for one that breaks the contract,
 * and with the error of the transport (network failure, abort) when there is no response.
 */
export function createCaller(transport: Transport, onDropped: DroppedListener = () => undefined): Caller {
  return async (call, body, options) => {
    const { json, output } = await makeCall(transport, call, call.response, body, options);
    if (Array.isArray(json) && Array.isArray(output)) onDropped(call, json.length - output.length);
    return output;
  };
}

/** Receives how many items of a list the schema of the call has dropped; 0 of a list that is valid. */
export type DroppedListener = (call: Call, count: number) => void;

/** Creates a caller that accepts what `Call.accepted` describes. It rejects like that of `createCaller`. */
export function createLenientCaller(transport: Transport): LenientCaller {
  return async <C extends Call>(call: C, body: CallInput<C>, options?: CallOptions) => {
    const { output } = await makeCall(transport, call, call.accepted ?? call.response, body, options);
    return output as AcceptedResponse<C>;
  };
}

async function makeCall<C extends Call, S extends v.GenericSchema>(
  transport: Transport,
  call: C,
  schema: S,
  body: CallInput<C>,
  options: CallOptions = {},
): Promise<{ readonly json: unknown; readonly output: v.InferOutput<S> }> {
  const response = await transport({
    method: call.method,
    path: call.path,
    headers: { ...(call.body && { "content-type": "application/json" }), ...options.headers },
    body: call.body ? JSON.stringify(body) : null,
    slow: call.slow === true,
    maxResponseBytes: call.maxResponseBytes,
    signal: options.signal,
  });
  const json = parseJson(await response.text());
  if (response.status < 200 || response.status > 299)
    throw new CallError(call.path, response.status, readErrorBody(json));
  // A hostile response could have a million faults, of which none is shown.
  const parsed = v.safeParse(schema, json, { abortEarly: true });
  if (!parsed.success) throw new UnreadableResponseError(call.path);
  return { json, output: parsed.output };
}

/** The message of an error response without one. */
export const noReasonGiven = "No reason was given.";

const textIfAny = v.fallback(v.optional(v.string()), undefined);
const acceptedErrorBody = v.object({
  message: textIfAny,
  field: textIfAny,
  errors: errorBody.entries.errors,
  output: textIfAny,
  needs: textIfAny,
});

/** Reads the error body of any server: each of its fields may be missing or of another type. */
function readErrorBody(json: unknown): ErrorBody {
  const parsed = v.safeParse(acceptedErrorBody, json, { abortEarly: true });
  if (!parsed.success) return { message: noReasonGiven };
  return { ...parsed.output, message: parsed.output.message || noReasonGiven };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
