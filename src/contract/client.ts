import * as v from "valibot";
import type { Call, CallResponse, CallInput } from "./call.ts";
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
  /** An `AbortSignal`. The contract has neither the types of the DOM nor those of Node. */
  readonly signal: unknown;
}

export interface TransportResponse {
  readonly status: number;
  readonly text: () => Promise<string>;
}

/** An error response, or a 2xx response that does not parse (status 502). */
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

export interface CallOptions {
  readonly signal?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Caller = <C extends Call>(
  call: C,
  body: CallInput<C>,
  options?: CallOptions,
) => Promise<CallResponse<C>>;

/**
 * Creates a function that makes any call of a table over the transport.
 *
 * It rejects with `CallError` for an error response, and with the error of the transport (network failure, abort) when
 * there is no response.
 */
export function createCaller(transport: Transport): Caller {
  return async (call, body, options = {}) => {
    const response = await transport({
      method: call.method,
      path: call.path,
      headers: { ...(call.body && { "content-type": "application/json" }), ...options.headers },
      body: call.body ? JSON.stringify(body) : null,
      slow: call.slow === true,
      signal: options.signal,
    });
    const json = parseJson(await response.text());
    if (response.status < 200 || response.status > 299) {
      const parsed = v.safeParse(errorBody, json);
      throw new CallError(
        call.path,
        response.status,
        parsed.success ? parsed.output : { message: "No reason was given." },
      );
    }
    const parsed = v.safeParse(call.response, json);
    if (!parsed.success) throw new CallError(call.path, 502, { message: "The response could not be read." });
    return parsed.output;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
