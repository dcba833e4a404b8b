/** A proxy between a browser and a server, for tests of a broken or hanging network. */
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `hangs` accepts every request and holds its response back; `down` breaks every connection. */
export type ProxyState = "up" | "hangs" | "down";

export interface NetworkProxy extends AsyncDisposable {
  /** The address that the browser uses for the server. */
  readonly url: string;
  /**
   * Responses that were held back are sent when the network is up again.
   *
   * @param paths only requests whose path starts like this hang or break.
   */
  readonly set: (state: ProxyState, paths?: string) => void;
}

export async function startNetworkProxy(target: string): Promise<NetworkProxy> {
  let state: ProxyState = "up";
  let affected = "/";
  let waiting: Array<() => void> = [];
  const server = createServer((incoming, outgoing) => {
    const isAffected = incoming.url?.startsWith(affected) === true;
    if (isAffected && state === "down") incoming.socket.destroy();
    else
      forward(target, incoming, outgoing, (respond) => {
        if (isAffected && state === "hangs") waiting.push(respond);
        else respond();
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    set(next, paths = "/") {
      state = next;
      affected = paths;
      if (next === "down") server.closeAllConnections();
      if (next !== "up") return;
      for (const respond of waiting) respond();
      waiting = [];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** @param onResponse receives a function that sends the response to the browser. */
function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onResponse: (respond: () => void) => void,
): void {
  const { method, headers, url } = incoming;
  const forwarded = request(new URL(url ?? "/", target), { method, headers }, (response) => {
    response.on("error", () => outgoing.destroy());
    onResponse(() => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
  });
  forwarded.on("error", () => outgoing.destroy());
  // The server notices that the browser has disconnected.
  outgoing.on("close", () => forwarded.destroy());
  incoming.pipe(forwarded);
}
