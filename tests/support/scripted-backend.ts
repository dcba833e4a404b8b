/** The mock backend behind one visitor of the app, with responses that a test can replace call by call. */
import { getResponse, http, type HttpHandler, HttpResponse } from "msw";
import type { ErrorStatus } from "../../src/contract/call.ts";
import { type CallName, calls } from "../../src/contract/calls.ts";
import type { ErrorBody } from "../../src/contract/http-error.ts";
import { createHandlers } from "../../src/mocks/handlers.ts";
import { emptyState, type MockState } from "../../src/mocks/state.ts";

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  /** Parsed JSON; undefined if the request had no body. */
  readonly body: unknown;
  readonly header: (name: string) => string | null;
}

export interface Backend {
  readonly state: MockState;
  /** The requests received so far, oldest first; only those of one call if it is named. */
  readonly received: (name?: CallName) => readonly ReceivedCall[];
  /** The paths of calls that were sent without credentials since the backend was created. */
  readonly withoutCredentials: () => readonly string[];
  /** From now on the call gets this response. */
  readonly reply: (name: CallName, response: Record<string, unknown> | readonly unknown[]) => void;
  /** From now on the call gets this text, with status 200 unless given, as from a captive portal. */
  readonly replyText: (name: CallName, text: string, status?: number) => void;
  /** From now on the call gets this error response. */
  readonly refuse: (name: CallName, status: ErrorStatus, body: ErrorBody) => void;
  /** From now on the connection breaks before the call gets a response. */
  readonly cutOff: (name: CallName) => void;
  /** Removes the replacement of the call's response. */
  readonly restore: (name: CallName) => void;
}

export interface ScriptedBackend extends Backend {
  /** Undefined if the contract has no call on this path. */
  readonly receive: (request: Request) => Promise<Response | undefined>;
}

export function createScriptedBackend(withoutCredentials: () => readonly string[]): ScriptedBackend {
  const state = emptyState();
  const handlers = createHandlers(state);
  const handlerOf = new Map(Object.values(calls).map(({ path }, index) => [path as string, handlers[index]]));
  const replacements = new Map<CallName, HttpHandler>();
  const received: ReceivedCall[] = [];
  const replace = (name: CallName, response: () => Response) => {
    const { method, path } = calls[name];
    replacements.set(name, (method === "GET" ? http.get : http.post)(path, response));
  };
  return {
    state,
    received: (name) => received.filter(({ path }) => name === undefined || path === calls[name].path),
    withoutCredentials,
    reply: (name, response) => replace(name, () => HttpResponse.json(response as Record<string, unknown>)),
    replyText: (name, text, status = 200) => replace(name, () => HttpResponse.html(text, { status })),
    refuse: (name, status, body) => replace(name, () => HttpResponse.json(body, { status })),
    cutOff: (name) => replace(name, () => HttpResponse.error()),
    restore: (name) => replacements.delete(name),
    receive: async (request) => {
      const { origin, pathname: path } = new URL(request.url);
      const text = await request.clone().text();
      received.push({
        method: request.method,
        path,
        body: text === "" ? undefined : (JSON.parse(text) as unknown),
        header: (name) => request.headers.get(name),
      });
      const handler = handlerOf.get(path);
      return getResponse([...replacements.values(), ...(handler ? [handler] : [])], request, {
        baseUrl: origin,
      });
    },
  };
}
