/** The mock backend behind one visitor of the app, with responses that a test can replace call by call. */
import { getResponse, HttpResponse } from "msw";
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
  /** Aborted when the app no longer waits for the response. */
  readonly signal: AbortSignal | undefined;
}

/** JSON, or a function that responds to each request. */
type Reply = object | ((call: ReceivedCall) => Response | Promise<Response>);

export interface Backend {
  readonly state: MockState;
  /** The requests received so far, oldest first; only those of one call if it is named. */
  readonly received: (name?: CallName) => readonly ReceivedCall[];
  /** The bodies of the requests of a call received so far, oldest first. */
  readonly sent: (name: CallName) => readonly unknown[];
  /** The paths of calls that were sent without credentials since the backend was created. */
  readonly withoutCredentials: () => readonly string[];
  /** From now on the call gets this response. */
  readonly reply: (name: CallName, response: Reply) => void;
  /** From now on the call gets this text, with status 200 unless given, as from a captive portal. */
  readonly replyText: (name: CallName, text: string, status?: number) => void;
  /** From now on the call gets this error response. */
  readonly refuse: (name: CallName, status: ErrorStatus, body: ErrorBody) => void;
  /** The next request of the call gets this error response. */
  readonly refuseOnce: (name: CallName, status: ErrorStatus, body: ErrorBody) => void;
  /** From now on the connection breaks before the call gets a response. */
  readonly cutOff: (name: CallName) => void;
  /** Removes the replacement of the call's response, or of all calls. */
  readonly restore: (name?: CallName) => void;
}

export interface ScriptedBackend extends Backend {
  /** Receives the requests of the app's own origin that carry the cookies of this origin. */
  readonly fetch: typeof fetch;
  /** Undefined if the contract has no call on this path. */
  readonly receive: (request: Request, signal?: AbortSignal) => Promise<Response | undefined>;
  /**
   * Ends the requests in progress without a response or a failure, as the browser does when a tab closes. Without it, the
   * timeout of a request would be logged in a later test.
   */
  readonly close: () => void;
}

const neverSettled = new Promise<never>(() => {});

export function createScriptedBackend(withoutCredentials?: () => readonly string[]): ScriptedBackend {
  const state = emptyState();
  const handlers = createHandlers(state);
  const names = Object.keys(calls) as readonly CallName[];
  const replacements = new Map<CallName, Extract<Reply, (...args: never) => unknown>>();
  const received: ReceivedCall[] = [];
  const sentWithoutCredentials: string[] = [];
  let isClosed = false;
  const select = (name?: CallName) =>
    received.filter(({ path }) => name === undefined || path === calls[name].path);
  const receive: ScriptedBackend["receive"] = async (request, signal) => {
    const { origin, pathname: path } = new URL(request.url);
    const text = await request.clone().text();
    const call: ReceivedCall = {
      method: request.method,
      path,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
      header: (name) => request.headers.get(name),
      signal,
    };
    received.push(call);
    const index = names.findIndex((name) => calls[name].path === path);
    const [name, handler] = [names[index], handlers[index]];
    if (name === undefined || handler === undefined) return undefined;
    return replacements.get(name)?.(call) ?? getResponse([handler], request, { baseUrl: origin });
  };
  const reply: Backend["reply"] = (name, response) =>
    void replacements.set(name, (call) =>
      typeof response === "function"
        ? (response as (call: ReceivedCall) => Response)(call)
        : Response.json(response),
    );
  return {
    state,
    received: select,
    sent: (name) => select(name).map(({ body }) => body),
    withoutCredentials: withoutCredentials ?? (() => sentWithoutCredentials),
    reply,
    replyText: (name, text, status = 200) => reply(name, () => HttpResponse.html(text, { status })),
    refuse: (name, status, body) => reply(name, () => Response.json(body, { status })),
    refuseOnce: (name, status, body) => {
      const before = replacements.get(name);
      reply(name, () => {
        if (before) replacements.set(name, before);
        else replacements.delete(name);
        return Response.json(body, { status });
      });
    },
    cutOff: (name) => reply(name, () => Response.error()),
    restore: (name) => (name === undefined ? replacements.clear() : void replacements.delete(name)),
    receive,
    fetch: async (input, init) => {
      const signal = init?.signal ?? undefined;
      signal?.throwIfAborted();
      const url = new URL(input instanceof Request ? input.url : input, window.location.href);
      // Node's request accepts Node's signals only.
      const request = new Request(url, { ...init, signal: null });
      if (url.origin !== window.location.origin || request.credentials === "omit") {
        sentWithoutCredentials.push(url.pathname);
        return Response.json({}, { status: 401 });
      }
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => isClosed || reject(signal.reason as Error), { once: true });
      });
      const response = await Promise.race([receive(request, signal), aborted]);
      if (isClosed) return neverSettled;
      if (response === undefined || response.type === "error") throw new TypeError("Failed to fetch");
      return response;
    },
    close: () => {
      isClosed = true;
    },
  };
}
