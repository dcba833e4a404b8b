import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface LocalServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts an HTTP server on a free port of 127.0.0.1. Its connections break when it ends. */
export async function listenLocally(server: Server): Promise<LocalServer> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
