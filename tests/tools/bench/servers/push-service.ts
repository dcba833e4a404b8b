/** A push service that notes which message each browser has received. */
import { createServer } from "node:https";
import { listen } from "#system/listen.ts";
import { testIdentity } from "#tests/support/test-identity.ts";

export interface PushedMessage {
  /** The path of the subscription. */
  readonly browser: string;
  /** The same for each message about a task. */
  readonly topic: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface PushService extends AsyncDisposable {
  readonly host: string;
  /** Its certificate in PEM. */
  readonly certificate: string;
  readonly received: PushedMessage[];
}

export async function startPushService(): Promise<PushService> {
  const { certificate, privateKey } = await testIdentity("localhost");
  const received: PushedMessage[] = [];
  const server = createServer({ key: privateKey, cert: certificate }, (incoming, outgoing) => {
    incoming.resume().on("end", () => {
      const { url: browser = "", headers } = incoming;
      received.push({ browser, topic: String(headers["topic"]), at: Date.now() });
      outgoing.writeHead(201).end();
    });
  });
  const running = await listen(server, { host: "127.0.0.1", port: 0, graceMs: 0 });
  return {
    host: `127.0.0.1:${running.address.port}`,
    certificate,
    received,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
