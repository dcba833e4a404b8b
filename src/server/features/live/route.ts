import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { livePath } from "../../../contract/live.ts";
import { refuseOtherSites } from "../../http/guard.ts";
import { Refusal } from "../../http/refusal.ts";
import { notSignedIn, type ReadExchange } from "../../http/serve-calls.ts";
import type { Live } from "./live.ts";

export interface LiveRouteDeps {
  readonly live: Pick<Live, "open">;
  readonly readExchange: ReadExchange;
  readonly publicUrl: string;
}

/** No proxy may keep, change or hold back what comes. */
const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** The stream of live events (contract/live.ts). */
export function liveRoute({ live, readExchange, publicUrl }: LiveRouteDeps): Hono {
  const { origin } = new URL(publicUrl);

  async function answer(context: Context): Promise<Response> {
    refuseOtherSites(context, origin);
    const { asn, sessionToken } = await readExchange(context);
    if (asn === null || sessionToken === null) throw notSignedIn();
    // Of an answer to HEAD nobody would read, or end, the stream.
    if (context.req.method === "HEAD") return context.body(null, 200, headers);
    const stream = live.open({ asn, token: sessionToken, disconnect: () => disconnect(context) });
    if (!stream) throw tooMany();
    return context.body(stream, 200, headers);
  }

  return new Hono().on("GET", [livePath, `${livePath}/`], (context) => answer(context));
}

/** A connection whose other end does not read cannot be ended by writing to it. */
function disconnect({ env }: Context): void {
  (env as Partial<HttpBindings> | undefined)?.outgoing?.destroy();
}

function tooMany(): Refusal {
  return new Refusal(429, {
    message:
      "There are too many live connections already. What is shown is still brought up to date every few " +
      "seconds; close other windows for more than that.",
  });
}
