import { once } from "node:events";
import type { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A server that accepts requests. Disposal waits for pending requests and closes idle connections. */
export interface ListeningServer extends AsyncDisposable {
  readonly address: AddressInfo;
}

/**
 * Starts to listen; rejects if the port is taken.
 *
 * @param port 0: the system chooses one
 */
export async function listen(
  server: Server | TlsServer,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  server.listen(port, host);
  // Rejects if the server emits "error" first.
  await once(server, "listening");
  return {
    address: server.address() as AddressInfo,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // A handshake may end later. Its connection is idle then, and would be waited for.
        server.on("secureConnection", () => setImmediate(() => server.closeIdleConnections()));
        server.closeIdleConnections();
      }),
  };
}
