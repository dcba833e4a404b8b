/** A push service on loopback with TLS. It records requests and responds as the test sets. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { Agent, createServer } from "node:https";
import { expect } from "vitest";
import { listen } from "#system/listen.ts";
import { testIdentity } from "../../support/test-identity.ts";

interface PushResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export type PushService = Awaited<ReturnType<typeof startPushService>>;

export async function startPushService() {
  await using parts = new AsyncDisposableStack();
  const { certificate, privateKey } = await testIdentity("push service");
  /** All requests, answered or not. */
  const received: Array<{ path: string; headers: IncomingHttpHeaders; body: Buffer }> = [];
  const hanging: ServerResponse[] = [];
  /** `hang` holds requests open until `respondToHanging`. */
  let behaviour: "hang" | PushResponse = { status: 201 };
  const server = createServer({ key: privateKey, cert: certificate }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => void chunks.push(chunk));
    incoming.on("end", () => {
      received.push({ path: incoming.url ?? "", headers: incoming.headers, body: Buffer.concat(chunks) });
      if (behaviour === "hang") hanging.push(outgoing);
      else send(outgoing, behaviour);
    });
  });
  const { address } = parts.use(await listen(server, { host: "127.0.0.1", port: 0, graceMs: 0 }));
  const agent = new Agent({ ca: certificate, checkServerIdentity: () => undefined });
  const running = parts.move();
  return {
    host: `127.0.0.1:${address.port}`,
    agent,
    received,
    /** Sets the response to later requests. */
    respond(next: "hang" | PushResponse) {
      behaviour = next;
    },
    respondToHanging(response: PushResponse) {
      for (const outgoing of hanging.splice(0)) send(outgoing, response);
    },
    /** Waits for a number of requests. */
    async receives(count: number) {
      await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
      return received;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function send(outgoing: ServerResponse, { status, headers }: PushResponse): void {
  outgoing.writeHead(status, headers).end("a body that the server ignores");
}
