import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type AgentCalls, agentCalls } from "../../contract/agent.ts";
import { agentProtocol } from "../../contract/agent/agent-protocol.ts";
import type { Call, ErrorStatus } from "../../contract/call.ts";
import { HttpError, type ErrorBody } from "../../contract/http-error.ts";
import { readBody } from "../../contract/request-body.ts";
import { clientClosedRequest, isAbortedRequest } from "../../system/aborted-request.ts";
import { RouterBusyError, RouterUnavailableError } from "../drivers/router.ts";
import type { Log } from "../log.ts";
import { AgentStoppingError } from "../reconcile/reconciler.ts";
import { checkProtocol } from "./check-protocol.ts";
import type { Handlers } from "./handlers.ts";

export interface AgentAppOptions {
  readonly handlers: Handlers;
  readonly log: Log;
  /** The protocol that the agent speaks; tests pass another one. */
  readonly protocol?: number | undefined;
}

/** Handles a request; `clientAddress` is that of the server that sent it, if it came through a socket. */
export type HandleRequest = (request: Request, clientAddress?: string) => Promise<Response>;

type AgentApp = Hono<{ Bindings: { readonly clientAddress: string | undefined } }>;

/** Calls whose body may be longer say so. */
const defaultMaxBytes = 64 * 1024;

/** Creates the HTTP service of `agentCalls`. Access is checked before a request arrives here. */
export function createAgentApp({ handlers, log, protocol = agentProtocol }: AgentAppOptions): HandleRequest {
  const app: AgentApp = new Hono();
  app.use(checkProtocol(protocol, log));
  for (const name of Object.keys(agentCalls) as Array<keyof AgentCalls>) serve(app, name, handlers[name]);
  app.notFound((context) =>
    context.json({ message: `The agent has no call ${context.req.method} ${context.req.path}.` }, 404),
  );
  app.onError((error, context) => {
    if (isAbortedRequest(error, context.req.raw)) return new Response(null, { status: clientClosedRequest });
    const { status, body } = errorResponse(error);
    if (status === 500) log.error({ err: error, path: context.req.path }, "a call failed");
    if (error instanceof RouterUnavailableError)
      log.warn({ err: error, path: context.req.path }, "the router is not available");
    return context.json(body, status);
  });
  return async (request, clientAddress) => app.fetch(request, { clientAddress });
}

function serve<Name extends keyof AgentCalls>(app: AgentApp, name: Name, handle: Handlers[Name]): void {
  const call: AgentCalls[Name] & Call = agentCalls[name];
  app.on(call.method, call.path, limitBody(call.maxBodyBytes ?? defaultMaxBytes), async (context) => {
    const read = readBody(call, await context.req.text());
    if (!read.ok) return context.json(read.errorBody, read.status);
    return context.json(await handle(read.body, context.req.raw.signal, context.env.clientAddress));
  });
}

function limitBody(maxBytes: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBytes,
    onError: (context) =>
      context.json({ message: `The body is larger than ${maxBytes} bytes. Nothing was changed.` }, 413),
  });
}

/** The response to anything a handler threw. The details of an unexpected error stay in the agent's log. */
function errorResponse(error: unknown): { readonly status: ErrorStatus; readonly body: ErrorBody } {
  if (error instanceof HttpError) return error;
  if (error instanceof AgentStoppingError) return { status: 503, body: { message: error.message } };
  if (error instanceof RouterBusyError) {
    return {
      status: 409,
      body: { message: "The provider is changing this node's configuration." },
    };
  }
  if (error instanceof RouterUnavailableError) {
    return {
      status: 503,
      body: { message: "The node's router is not available. Try again in a minute." },
    };
  }
  return {
    status: 500,
    body: { message: "The agent failed; its log contains the reason. The confirmed configuration was kept." },
  };
}
