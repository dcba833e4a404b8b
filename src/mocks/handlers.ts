import { http, HttpResponse, type HttpHandler } from "msw";
import { readBody } from "../contract/request-body.ts";
import { type CallName, calls } from "../contract/calls.ts";
import { mockHandlers, type MockHandler } from "./responses.ts";
import { HttpError } from "../contract/http-error.ts";
import type { MockState } from "./state.ts";

export interface HandlerOptions {
  /** Called after every response, which may have changed the state. */
  readonly onResponse?: () => void;
  /** Milliseconds before each response; 0 by default. */
  readonly delayMs?: number;
}

/** One msw handler for each call of the contract, all on the same state. */
export function createHandlers(state: MockState, options: HandlerOptions = {}): HttpHandler[] {
  return (Object.keys(calls) as CallName[]).map((name) => handlerOf(name, state, options));
}

function handlerOf(name: CallName, state: MockState, options: HandlerOptions): HttpHandler {
  const { method, path } = calls[name];
  const on = method === "GET" ? http.get : http.post;
  return on(path, async ({ request }) => {
    if (state.hanging.includes(name)) await new Promise<never>(() => {});
    if (options.delayMs) await pause(options.delayMs);
    const response = respond(name, state, await request.text());
    options.onResponse?.();
    return response;
  });
}

function respond(name: CallName, state: MockState, text: string): Response {
  try {
    if (state.failing.includes(name)) throw new HttpError(500, { message: "The mock fails on demand." });
    return HttpResponse.json(createResponseBody(name, state, text));
  } catch (error) {
    if (error instanceof HttpError) return HttpResponse.json(error.body, { status: error.status });
    throw error;
  }
}

function createResponseBody(
  name: CallName,
  state: MockState,
  text: string,
): Record<string, unknown> | unknown[] {
  const call = calls[name];
  const read = readBody(call, text);
  if (!read.ok) throw new HttpError(read.status, read.errorBody);
  if (call.access === "participant") authorize(state, read.body);
  // Name, body and response belong to the same row; a union of rows cannot express that.
  const handle = mockHandlers[name] as MockHandler<CallName>;
  return handle(state, read.body, state.loggedInAs ?? "");
}

/** The contract's rule for calls of participants: a login session acts for its own AS only. */
function authorize(state: MockState, body: unknown): void {
  if (state.loggedInAs === null) throw new HttpError(401, { message: "Log in first." });
  if (body === undefined) return;
  const { username } = (Array.isArray(body) ? body[0] : body) as { username: string };
  if (username !== state.loggedInAs) {
    throw new HttpError(403, { message: `You are logged in as AS${state.loggedInAs}.` });
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
