/** Requests through the reverse proxy, as browsers send them: over TLS, on connections that stay open. */
import { Agent, type RequestOptions, request } from "node:https";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { livePath } from "#contract/live-events.ts";

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sender {
  readonly cookie?: string;
  /** The client's address, which the reverse proxy passes on. */
  readonly address: string;
}

export interface Client {
  /** Sends a GET, or a POST with a body. Rejects without a response. */
  readonly send: (path: string, sender: Sender, body?: unknown) => Promise<HttpResponse>;
  /** Opens the event stream on a connection of its own. Resolves with its headers. */
  readonly openStream: (sender: Sender, signal: AbortSignal) => Promise<IncomingMessage>;
  readonly close: () => void;
}

/** @param ca the certificate of the proxy, which names no address */
export function createClient(url: string, ca: string): Client {
  const { hostname, port } = new URL(url);
  const connections = new Agent({ keepAlive: true, maxSockets: 64 });
  const common: RequestOptions = { host: hostname, port, ca, checkServerIdentity: () => undefined };

  async function start(path: string, { cookie, address }: Sender, options: RequestOptions, body?: unknown) {
    const json = body === undefined ? null : JSON.stringify(body);
    const outgoing = request({
      ...common,
      path,
      method: json === null ? "GET" : "POST",
      headers: {
        "x-forwarded-for": address,
        ...(cookie && { cookie }),
        ...(json !== null && {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(json),
        }),
      },
      ...options,
    });
    outgoing.end(json);
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    return response;
  }

  return {
    async send(path, sender, body) {
      const response = await start(path, sender, { agent: connections }, body);
      return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
    },
    openStream: (sender, signal) => start(livePath, sender, { agent: false, signal }),
    close: () => connections.destroy(),
  };
}
