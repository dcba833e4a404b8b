import { once } from "node:events";
import type { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A server that accepts requests. Disposal waits for those whose headers have arrived, then ends all connections. */
export interface ListeningServer extends AsyncDisposable {
  readonly address: AddressInfo;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: the system chooses one. */
  readonly port: number;
  /** How long disposal waits for requests, in milliseconds. By default it waits until they end. */
  readonly graceMs?: number;
}

/** Starts to listen; rejects if the port is taken. */
export async function listen(
  server: Server | TlsServer,
  { host, port, graceMs }: ListenOptions,
): Promise<ListeningServer> {
  let pending = 0;
  let isClosing = false;
  // Node.js ends no connection by its timeouts any more once a server closes, so a client that sends half a request
  // would be waited for.
  const endConnections = () => {
    if (isClosing && pending === 0) server.closeAllConnections();
  };
  server.on("request", (_, response) => {
    pending += 1;
    response.once("close", () => {
      pending -= 1;
      endConnections();
    });
  });
  server.listen(port, host);
  // Rejects if the server emits "error" first.
  await once(server, "listening");
  return {
    address: server.address() as AddressInfo,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        isClosing = true;
        const grace =
          graceMs === undefined ? undefined : setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(grace);
          resolve();
        });
        // A handshake may end later.
        server.on("secureConnection", () => setImmediate(endConnections));
        endConnections();
      }),
  };
}
