import { http, HttpResponse, type HttpHandler } from "msw";
import { readBody } from "../contract/body.ts";
import { type CallName, calls } from "../contract/calls.ts";
import { answers, type MockAnswer } from "./answers.ts";
import { Refused } from "./refused.ts";
import type { MockState } from "./state.ts";

export interface HandlerOptions {
  /** Called after every answered request, whose answer may have changed the state. */
  readonly onAnswered?: () => void;
  /** Milliseconds before each answer; 0 unless given. */
  readonly delay?: number;
}

/** One msw handler a call of the contract, all on the same state. */
export function createHandlers(state: MockState, options: HandlerOptions = {}): HttpHandler[] {
  return (Object.keys(calls) as CallName[]).map((name) => handlerOf(name, state, options));
}

function handlerOf(name: CallName, state: MockState, options: HandlerOptions): HttpHandler {
  const { method, path } = calls[name];
  const on = method === "GET" ? http.get : http.post;
  return on(path, async ({ request }) => {
    if (state.hanging.includes(name)) await new Promise<never>(() => {});
    if (options.delay) await pause(options.delay);
    const response = respond(name, state, await request.text());
    options.onAnswered?.();
    return response;
  });
}

function respond(name: CallName, state: MockState, text: string): Response {
  try {
    if (state.failing.includes(name)) throw new Refused(500, { message: "The mock fails on demand." });
    return HttpResponse.json(answerTo(name, state, text));
  } catch (error) {
    if (error instanceof Refused) return HttpResponse.json(error.failure, { status: error.status });
    throw error;
  }
}

function answerTo(name: CallName, state: MockState, text: string): Record<string, unknown> | unknown[] {
  const call = calls[name];
  const read = readBody(call, text);
  if (!read.ok) throw new Refused(read.status, read.failure);
  if (call.access === "session") authorize(state, read.body);
  // Name, body and answer belong to the same row, which a union of rows cannot say.
  const answer = answers[name] as MockAnswer<CallName>;
  return answer(state, read.body, state.signedIn ?? "");
}

/** The session decides who acts: a body that speaks for another AS is refused. */
function authorize(state: MockState, body: unknown): void {
  if (state.signedIn === null) throw new Refused(401, { message: "Sign in first." });
  const { username } = (Array.isArray(body) ? body[0] : body) as { username: string };
  if (username !== state.signedIn) {
    throw new Refused(403, { message: `You are signed in as AS${state.signedIn}.` });
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
