/**
 * Turns the contract's table into routes. Every route reads the same: authenticate, validate, authorize, act, present.
 */
import { type Context, Hono } from "hono";
import type { Call } from "../../contract/call.ts";
import { readBody } from "../../contract/body.ts";
import { calls } from "../../contract/calls.ts";
import type { Exchange, Handler, Handlers } from "./handlers.ts";
import { Refusal } from "./refusal.ts";

/** Finds out who calls; the cookie's name and the session's validity are its business. */
export type ReadExchange = (context: Context) => Promise<Exchange>;

export function serveCalls(handlers: Handlers, readExchange: ReadExchange): Hono {
  const routes = new Hono();
  for (const [name, call] of Object.entries(calls)) {
    const handler = handlers[name as keyof Handlers] as Handler<Call>;
    for (const path of withAndWithoutSlash(call.path)) {
      routes.on(call.method, path, (context) => answer(context, call, handler, readExchange));
    }
  }
  return routes;
}

async function answer(context: Context, call: Call, handler: Handler<Call>, readExchange: ReadExchange) {
  const exchange = await readExchange(context);
  if (call.access === "session" && exchange.asn === null) {
    throw notSignedIn();
  }
  const read = readBody(call, await context.req.text());
  if (!read.ok) throw new Refusal(read.status, read.failure);
  if (call.access === "session" && claimedUsername(read.body) !== exchange.asn) {
    throw new Refusal(403, {
      message: `You are signed in as AS${exchange.asn} and can act for no other.`,
      field: "username",
    });
  }
  return context.json((await handler(read.body as never, exchange)) as object);
}

export function notSignedIn(): Refusal {
  return new Refusal(401, {
    message: "You are not signed in, or your session has ended. Sign in and try again.",
  });
}

/** The AS that a body says it acts for; in a tuple it stands in the first item. */
function claimedUsername(body: unknown): unknown {
  const holder: unknown = Array.isArray(body) ? body[0] : body;
  return typeof holder === "object" && holder !== null && "username" in holder ? holder.username : undefined;
}

function withAndWithoutSlash(path: string): readonly string[] {
  const bare = path.replace(/\/$/, "");
  return path.endsWith(".json") ? [bare] : [bare, `${bare}/`];
}
