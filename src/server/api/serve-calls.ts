/**
 * Creates the routes of the contract's calls. Every route does the same: authenticate, validate, authorize, act,
 * present.
 */
import { type Context, Hono } from "hono";
import type { Call } from "../../contract/call.ts";
import { readBody } from "../../contract/request-body.ts";
import { calls } from "../../contract/calls.ts";
import type { RequestContext, Handler, Handlers } from "./handlers.ts";
import { HttpError } from "../../contract/http-error.ts";
import { prepareResponse } from "./shared-responses.ts";
import { withCanonicalAsns } from "./typed-asn.ts";

/** Identifies the caller from the login cookie. */
export type Authenticate = (context: Context) => Promise<RequestContext>;

/** Creates the routes of all calls, with and without a trailing slash. */
export function serveCalls(handlers: Handlers, authenticate: Authenticate): Hono {
  const routes = new Hono();
  for (const [name, call] of Object.entries(calls)) {
    const handler = handlers[name as keyof Handlers] as Handler<Call>;
    for (const path of listPathVariants(call.path)) {
      routes.on(call.method, path, (context) => respond(context, call, handler, authenticate));
    }
  }
  return routes;
}

async function respond(context: Context, call: Call, handler: Handler<Call>, authenticate: Authenticate) {
  if (call.crossOrigin) context.header("access-control-allow-origin", "*");
  const requestContext = await authenticate(context);
  if (call.access === "participant" && requestContext.asn === null) {
    throw notLoggedInError();
  }
  const read = readBody(call, await context.req.text());
  if (!read.ok) throw new HttpError(read.status, read.errorBody);
  const body = withCanonicalAsns(read.body);
  if (call.access === "participant" && call.body && readUsername(body) !== requestContext.asn) {
    throw new HttpError(403, {
      message: `You are logged in as AS${requestContext.asn} and cannot act for another AS.`,
      field: "username",
    });
  }
  const response = (await handler(body as never, requestContext)) as object;
  const headers = { "content-type": "application/json" };
  if (!call.hasEtag) return context.body(JSON.stringify(response), 200, headers);
  const { text, etag } = prepareResponse(response);
  // A proxy that compresses makes the ETag a weak one.
  const known = context.req.header("if-none-match")?.split(",") ?? [];
  if (known.some((one) => one.trim().replace("W/", "") === etag)) return context.body(null, 304, { etag });
  return context.body(text, 200, { ...headers, etag });
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
