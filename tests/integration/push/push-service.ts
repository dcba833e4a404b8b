/** A push service on loopback with TLS. It records requests and responds as the test sets. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { Agent, createServer } from "node:https";
import { expect } from "vitest";
import { listen } from "#system/listen.ts";
import { testIdentity } from "../../support/test-identity.ts";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PushResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `hang` holds requests open until `respondToHanging`. */
export type PushBehaviour = "hang" | PushResponse;

export interface PushService extends AsyncDisposable {
  readonly host: string;
  /** Trusts its certificate. */
  readonly agent: Agent;
  /** All requests, answered or not. */
  readonly received: readonly Received[];
  /** Sets the response to later requests. */
  respond(behaviour: PushBehaviour): void;
  /** Responds to all open requests. */
  respondToHanging(response: PushResponse): void;
  /** Waits for a number of requests and returns them. */
  receives(count: number): Promise<readonly Received[]>;
}

export async function startPushService(): Promise<PushService> {
  await using parts = new AsyncDisposableStack();
  const { certificate, privateKey } = await testIdentity("push service");
  const received: Received[] = [];
  const hanging: ServerResponse[] = [];
  let behaviour: PushBehaviour = { status: 201 };
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
    respond(next) {
      behaviour = next;
    },
    respondToHanging(response) {
      for (const outgoing of hanging.splice(0)) send(outgoing, response);
    },
    async receives(count) {
      await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
      return received;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function send(outgoing: ServerResponse, { status, headers }: PushResponse): void {
  outgoing.writeHead(status, headers).end("a body that the server ignores");
}
