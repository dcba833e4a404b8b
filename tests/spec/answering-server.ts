/**
 * The built web app, and behind it a mock backend for every visitor. A visitor is known by a cookie alone, so a
 * call that comes without credentials finds no backend.
 */
import { once } from "node:events";
import { join } from "node:path";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { getResponse, http, type HttpHandler, HttpResponse } from "msw";
import type { RefusalStatus } from "../../src/contract/call.ts";
import { type CallName, calls } from "../../src/contract/calls.ts";
import type { Failure } from "../../src/contract/failure.ts";
import { createHandlers } from "../../src/mocks/handlers.ts";
import { emptyState, type MockState } from "../../src/mocks/state.ts";
import { serveApp } from "../../src/server/http/app-files.ts";
import { repository } from "../setup/repository.ts";

export const visitorCookie = "visitor";
/** A page of the app's origin that holds nothing of it. */
export const emptyPage = "/between-rows";

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  /** Parsed JSON; undefined where there was no body. */
  readonly body: unknown;
  readonly header: (name: string) => string | null;
}

export interface Backend {
  readonly state: MockState;
  /** What was asked so far, oldest first; of one call where it is named. */
  readonly received: (name?: CallName) => readonly ReceivedCall[];
  /** The paths of calls that came without credentials since the backend began; no backend receives those. */
  readonly anonymous: () => readonly string[];
  /** From now on the call is answered so. */
  readonly reply: (name: CallName, answer: Record<string, unknown> | readonly unknown[]) => void;
  /** From now on the call is refused. */
  readonly refuse: (name: CallName, status: RefusalStatus, failure: Failure) => void;
  /** From now on the connection breaks before the call is answered. */
  readonly cutOff: (name: CallName) => void;
  /** Forgets what was said about the call. */
  readonly restore: (name: CallName) => void;
}

interface Visitor extends Backend {
  readonly receive: (request: Request) => Promise<Response | undefined>;
}

function createVisitor(anonymous: () => readonly string[]): Visitor {
  const state = emptyState();
  const handlers = createHandlers(state);
  const handlerOf = new Map(Object.values(calls).map(({ path }, index) => [path as string, handlers[index]]));
  const said = new Map<CallName, HttpHandler>();
  const received: ReceivedCall[] = [];
  const say = (name: CallName, response: () => Response) => {
    const { method, path } = calls[name];
    said.set(name, (method === "GET" ? http.get : http.post)(path, response));
  };
  return {
    state,
    received: (name) => received.filter(({ path }) => name === undefined || path === calls[name].path),
    anonymous,
    reply: (name, answer) => say(name, () => HttpResponse.json(answer as Record<string, unknown>)),
    refuse: (name, status, failure) => say(name, () => HttpResponse.json(failure, { status })),
    cutOff: (name) => say(name, () => HttpResponse.error()),
    restore: (name) => said.delete(name),
    receive: async (request) => {
      const { origin, pathname: path } = new URL(request.url);
      const text = await request.clone().text();
      received.push({
        method: request.method,
        path,
        body: text === "" ? undefined : (JSON.parse(text) as unknown),
        header: (name) => request.headers.get(name),
      });
      const answering = handlerOf.get(path);
      return getResponse([...said.values(), ...(answering ? [answering] : [])], request, { baseUrl: origin });
    },
  };
}

export interface AnsweringServer extends AsyncDisposable {
  readonly url: string;
  /** A backend of its own for whoever carries the name as the visitor's cookie. */
  readonly admit: (name: string) => Backend;
}

export async function answeringServer(): Promise<AnsweringServer> {
  const visitors = new Map<string, Visitor>();
  const anonymous: string[] = [];
  const app = new Hono<{ Bindings: HttpBindings }>();
  const answer = async (request: Request, { outgoing }: HttpBindings) => {
    const name = new RegExp(`\\b${visitorCookie}=([\\w-]+)`).exec(request.headers.get("cookie") ?? "")?.[1];
    const visitor = visitors.get(name ?? "");
    if (!visitor) anonymous.push(new URL(request.url).pathname);
    const response = await visitor?.receive(request);
    if (response?.type === "error") {
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    }
    return response ?? HttpResponse.json({ message: "Nobody is known by this cookie." }, { status: 401 });
  };
  app.all("/api/*", ({ req, env }) => answer(req.raw, env));
  app.get("/provider.json", ({ req, env }) => answer(req.raw, env));
  app.get(emptyPage, ({ html }) => html("<!doctype html><title>Between rows</title>"));
  app.route("/", serveApp(join(repository, "build/web")));

  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    admit: (name) => {
      const before = anonymous.length;
      const visitor = createVisitor(() => anonymous.slice(before));
      visitors.set(name, visitor);
      return visitor;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
    },
  };
}
