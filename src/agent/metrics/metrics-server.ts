import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { prometheusType } from "./prometheus.ts";

export interface MetricsServer extends AsyncDisposable {
  readonly address: AddressInfo;
}

/**
 * Serves `GET /metrics` in plain HTTP and nothing else: who may read numbers is not thereby one who may change
 * the router. Rejects where the port is taken.
 *
 * @param read the text to answer with
 */
export async function serveMetrics(
  listen: { readonly host: string; readonly port: number },
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (incoming, outgoing) => {
    if (incoming.method !== "GET" || incoming.url !== "/metrics") {
      outgoing.writeHead(404).end("There is GET /metrics here and nothing else.\n");
      return;
    }
    read().then(
      (text) => outgoing.writeHead(200, { "content-type": prometheusType }).end(text),
      () => outgoing.writeHead(500).end(),
    );
  });
  server.maxConnections = 16;
  server.listen(listen.port, listen.host);
  // Rejects with the error where there is one first.
  await once(server, "listening");
  return {
    address: server.address() as AddressInfo,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
