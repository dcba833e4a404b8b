import { once } from "node:events";
import type { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

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
  // Of a connection that ends, only the first response is closed.
  const open = new Map<Socket, number>();
  const settle = (socket: Socket, count: number) => {
    pending -= count;
    open.set(socket, (open.get(socket) ?? 0) - count);
    endConnections();
  };
  server.on("request", ({ socket }, response) => {
    if (!open.has(socket)) {
      socket.once("close", () => {
        settle(socket, open.get(socket) ?? 0);
        open.delete(socket);
      });
    }
    pending += 1;
    open.set(socket, (open.get(socket) ?? 0) + 1);
    response.once("close", () => {
      if (open.has(socket)) settle(socket, 1);
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
