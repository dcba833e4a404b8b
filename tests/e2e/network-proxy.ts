/** A proxy between a browser and a server, for tests of a broken or hanging network. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { listenLocally, type LocalServer } from "./local-server.ts";

/** `hangs` accepts every request and holds its response back; `down` breaks every connection. */
export type ProxyState = "up" | "hangs" | "down";

/** Its address is the one that the browser uses for the server. */
export interface NetworkProxy extends LocalServer {
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
      forward(target, incoming, outgoing, (response) => {
        const respond = () => {
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        };
        if (isAffected && state === "hangs") waiting.push(respond);
        else respond();
      });
  });
  return {
    ...(await listenLocally(server)),
    set(next, paths = "/") {
      state = next;
      affected = paths;
      if (next === "down") server.closeAllConnections();
      if (next !== "up") return;
      for (const respond of waiting) respond();
      waiting = [];
    },
  };
}

/** @param onResponse sends the response to the browser, whose connection breaks if the server's breaks. */
export function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onResponse: (response: IncomingMessage) => void,
  changedHeaders: Readonly<Record<string, string>> = {},
): void {
  const { method, url } = incoming;
  const headers = { ...incoming.headers, ...changedHeaders };
  const forwarded = request(new URL(url ?? "/", target), { method, headers }, (response) => {
    response.on("error", () => outgoing.destroy());
    onResponse(response);
  });
  forwarded.on("error", () => outgoing.destroy());
  // The server notices that the browser has disconnected.
  outgoing.on("close", () => forwarded.destroy());
  incoming.pipe(forwarded);
}
