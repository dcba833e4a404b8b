import { createServer } from "node:http";
import { listen, type ListeningServer } from "./listen.ts";

/** The Prometheus text format. */
const contentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Serves `GET /metrics` over plain HTTP and nothing else: access to the metrics does not grant access to the program.
 * Rejects if the port is in use.
 *
 * @param read returns the text of the response
 */
export async function serveMetrics(
  address: { readonly host: string; readonly port: number },
  read: () => Promise<string>,
): Promise<ListeningServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (incoming, outgoing) => {
    if (incoming.method !== "GET" || incoming.url !== "/metrics") {
      outgoing.writeHead(404).end("Only GET /metrics is served here.\n");
      return;
    }
    read().then(
      (text) => outgoing.writeHead(200, { "content-type": contentType }).end(text),
      () => outgoing.writeHead(500).end(),
    );
  });
  server.maxConnections = 16;
  return listen(server, address);
}
