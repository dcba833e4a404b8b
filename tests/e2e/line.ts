/** The line between a browser and a server, which a test can cut, or leave hanging. */
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `hangs` takes every request and holds its answer back; `down` breaks every connection. */
export type LineState = "up" | "hangs" | "down";

export interface Line extends AsyncDisposable {
  /** What the browser takes for the server. */
  readonly url: string;
  /**
   * What was held back comes when the line is up again.
   *
   * @param paths only requests that begin like this hang or break.
   */
  readonly set: (state: LineState, paths?: string) => void;
}

export async function startLine(target: string): Promise<Line> {
  let state: LineState = "up";
  let affected = "/";
  let waiting: Array<() => void> = [];
  const server = createServer((incoming, outgoing) => {
    const hit = incoming.url?.startsWith(affected) === true;
    if (hit && state === "down") incoming.socket.destroy();
    else
      passOn(target, incoming, outgoing, (answer) => {
        if (hit && state === "hangs") waiting.push(answer);
        else answer();
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
      for (const go of waiting) go();
      waiting = [];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** @param onAnswer gets what sends the answer on. */
function passOn(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onAnswer: (answer: () => void) => void,
): void {
  const { method, headers, url } = incoming;
  const passed = request(new URL(url ?? "/", target), { method, headers }, (answer) => {
    answer.on("error", () => outgoing.destroy());
    onAnswer(() => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
  });
  passed.on("error", () => outgoing.destroy());
  // The server has to learn that the browser left.
  outgoing.on("close", () => passed.destroy());
  incoming.pipe(passed);
}
