/** A push service on loopback that speaks TLS, keeps what it is sent, and answers as it is told. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { Agent, createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { openIdentity } from "../../../src/identity/tls-identity.ts";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What it answers; `hang` waits for `answerHanging`. */
export type Reply = "hang" | Answer;

export interface PushService extends AsyncDisposable {
  readonly host: string;
  /** Trusts its certificate. */
  readonly agent: Agent;
  /** Everything that it was sent, answered or not. */
  readonly received: readonly Received[];
  /** From now on. */
  answer(reply: Reply): void;
  /** To whatever hangs, at last. */
  answerHanging(answer: Answer): void;
  /** What it was sent once there is so much; waits for it. */
  receives(count: number): Promise<readonly Received[]>;
}

export async function startPushService(): Promise<PushService> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-push-"));
  parts.defer(() => rm(folder, { recursive: true }));
  const { certificate, privateKey } = await openIdentity(folder, "push service");
  const received: Received[] = [];
  const hanging: ServerResponse[] = [];
  let reply: Reply = { status: 201 };
  const server = createServer({ key: privateKey, cert: certificate }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => void chunks.push(chunk));
    incoming.on("end", () => {
      received.push({ path: incoming.url ?? "", headers: incoming.headers, body: Buffer.concat(chunks) });
      if (reply === "hang") hanging.push(outgoing);
      else send(outgoing, reply);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  parts.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const agent = new Agent({ ca: certificate, checkServerIdentity: () => undefined });
  const running = parts.move();
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    agent,
    received,
    answer(next) {
      reply = next;
    },
    answerHanging(answer) {
      for (const outgoing of hanging.splice(0)) send(outgoing, answer);
    },
    async receives(count) {
      await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
      return received;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function send(outgoing: ServerResponse, { status, headers }: Answer): void {
  outgoing.writeHead(status, headers).end("an answer that nobody reads");
}
