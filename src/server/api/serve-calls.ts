/**
 * Creates the routes of the contract's calls. Every route does the same: authenticate, validate, authorize, act,
 * present.
 */
import { type Context, Hono } from "hono";
import type { Call } from "../../contract/call.ts";
import { readBody } from "../../contract/request-body.ts";
import { type CallName, calls } from "../../contract/calls.ts";
import type { RequestContext, Handler, Handlers } from "./handlers.ts";
import { HttpError } from "../../contract/http-error.ts";
import { prepareResponse } from "./shared-responses.ts";
import { type AuthenticateToken, readBearerToken } from "./tokens/authenticate-token.ts";
import { assertNode, assertScope, limitToNode } from "./tokens/token-rights.ts";
import { withCanonicalAsns } from "./typed-asn.ts";

/** Identifies the caller from the login cookie. */
export type Authenticate = (context: Context) => Promise<RequestContext>;

/** The ways to identify the caller. */
export interface CallerReaders {
  readonly authenticate: Authenticate;
  readonly authenticateToken: AuthenticateToken;
}

/** Creates the routes of all calls, with and without a trailing slash. */
export function serveCalls(handlers: Handlers, readers: CallerReaders): Hono {
  const routes = new Hono();
  for (const name of Object.keys(calls) as CallName[]) {
    const { path: ownPath, method } = calls[name];
    for (const path of listPathVariants(ownPath)) {
      routes.on(method, path, (context) => respond(context, name, handlers, readers));
    }
  }
  return routes;
}

async function respond(context: Context, name: CallName, handlers: Handlers, readers: CallerReaders) {
  const call: Call = calls[name];
  const handler = handlers[name] as Handler<Call>;
  if (call.crossOrigin) context.header("access-control-allow-origin", "*");
  const requestContext = await readCaller(context, call, readers);
  const { apiToken } = requestContext;
  if (call.access === "participant" && requestContext.asn === null) {
    throw notLoggedInError();
  }
  if (apiToken) assertScope(name, apiToken);
  const read = readBody(call, await context.req.text());
  if (!read.ok) throw new HttpError(read.status, read.errorBody);
  const body = withCanonicalAsns(read.body);
  if (call.access === "participant" && call.body && readUsername(body) !== requestContext.asn) {
    throw new HttpError(403, {
      message: apiToken
        ? `This API token is of AS${requestContext.asn} and cannot act for another AS.`
        : `You are logged in as AS${requestContext.asn} and cannot act for another AS.`,
      field: "username",
    });
  }
  if (apiToken) assertNode(name, body, apiToken);
  const whole = (await handler(body as never, requestContext)) as object;
  const response = apiToken ? limitToNode(name, whole, apiToken) : whole;
  const headers = { "content-type": "application/json" };
  if (!call.hasEtag) return context.body(JSON.stringify(response), 200, headers);
  const { text, etag } = prepareResponse(response);
  // A proxy that compresses makes the ETag a weak one.
  const known = context.req.header("if-none-match")?.split(",") ?? [];
  if (known.some((one) => one.trim().replace("W/", "") === etag)) return context.body(null, 304, { etag });
  return context.body(text, 200, { ...headers, etag });
}

/** A call that needs no login session needs no token either, so it ignores one. Elsewhere a token decides, not the cookie. */
function readCaller(
  context: Context,
  { access }: Call,
  { authenticate, authenticateToken }: CallerReaders,
): Promise<RequestContext> {
  const token = access === "participant" ? readBearerToken(context) : null;
  return token === null ? authenticate(context) : authenticateToken(context, token);
}

export function notLoggedInError(): HttpError {
  return new HttpError(401, {
    message: "You are not logged in, or your login session has ended. Log in and try again.",
  });
}

/** Returns the AS in the request body; in a tuple it is in the first item. */
function readUsername(body: unknown): unknown {
  const holder: unknown = Array.isArray(body) ? body[0] : body;
  return typeof holder === "object" && holder !== null && "username" in holder ? holder.username : undefined;
}

function listPathVariants(path: string): readonly string[] {
  const bare = path.replace(/\/$/, "");
  return path.endsWith(".json") ? [bare] : [bare, `${bare}/`];
}
