import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { livePath } from "#contract/live-events.ts";
import { assertSameOrigin } from "../../api/guard.ts";
import { HttpError } from "#contract/http-error.ts";
import { notLoggedInError, type Authenticate } from "../../api/serve-calls.ts";
import { readBearerToken } from "../../api/tokens/authenticate-token.ts";
import { loginSessionNeededError } from "../../api/tokens/token-rights.ts";
import { streamHeaders } from "../../api/stream-headers.ts";
import type { PublicUrls } from "#domain/public-urls.ts";
import type { LiveEvents } from "./live-events.ts";

export interface LiveRouteDeps {
  readonly live: Pick<LiveEvents, "open">;
  readonly authenticate: Authenticate;
  readonly urls: PublicUrls;
}

/** The stream of live events (contract/live-events.ts). */
export function liveRoute({ live, authenticate, urls }: LiveRouteDeps): Hono {
  async function respond(context: Context): Promise<Response> {
    assertSameOrigin(context, urls);
    if (readBearerToken(context) !== null) throw loginSessionNeededError();
    const { asn, loginToken } = await authenticate(context);
    if (asn === null || loginToken === null) throw notLoggedInError();
    // The response to HEAD has no body, so nothing would read or end the stream.
    if (context.req.method === "HEAD") return context.body(null, 200, streamHeaders);
    const stream = live.open({ asn, token: loginToken, disconnect: () => disconnect(context) });
    if (!stream) throw tooManyStreamsError();
    return context.body(stream, 200, streamHeaders);
  }

  return new Hono().on("GET", [livePath, `${livePath}/`], (context) => respond(context));
}

/** Closes the socket: a client that does not read would not receive the end of the stream. */
function disconnect({ env }: Context): void {
  (env as Partial<HttpBindings> | undefined)?.outgoing?.destroy();
}

function tooManyStreamsError(): HttpError {
  return new HttpError(429, {
    message:
      "There are too many live connections already. The page still refreshes every few seconds; close other " +
      "windows to get live updates.",
  });
}
