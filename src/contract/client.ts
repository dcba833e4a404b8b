import * as v from "valibot";
import type { Call, CallAnswer, CallInput } from "./call.ts";
import { type Failure, failure } from "./failure.ts";

/** What carries a call: `fetch` in the browser, pinned TLS to an agent, a handler in the same process. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export interface TransportRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The call is marked so. */
  readonly slow?: boolean;
  /** An `AbortSignal`; this file knows neither DOM nor Node. */
  readonly signal: unknown;
}

export interface TransportResponse {
  readonly status: number;
  readonly text: () => Promise<string>;
}

/** An answer that is not 2xx, or one that is and cannot be read (status 502). */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly status: number;
  readonly failure: Failure;

  constructor(path: string, status: number, told: Failure) {
    super(`${path} answered ${status}: ${told.message}`);
    this.status = status;
    this.failure = told;
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
) => Promise<CallAnswer<C>>;

/**
 * A function that makes any call of a table over the transport.
 *
 * Rejects with `CallError` when the other side answered and it was not a success, and with whatever the
 * transport threw (network failure, abort) when it did not answer.
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
      const told = v.safeParse(failure, json);
      throw new CallError(
        call.path,
        response.status,
        told.success ? told.output : { message: "No reason was given." },
      );
    }
    const answer = v.safeParse(call.answer, json);
    if (!answer.success) throw new CallError(call.path, 502, { message: "The answer could not be read." });
    return answer.output;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
