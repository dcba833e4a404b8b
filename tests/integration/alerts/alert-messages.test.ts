/** From a session that goes down on a node to the message in the browser, across a restart of the server. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { Transport } from "#contract/client.ts";
import { demoPages } from "#demo/pages.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { createLog } from "#server/log.ts";
import { startServer } from "#server/start.ts";
import { openAsServer } from "../../support/databases.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { createBrowser } from "../push/browser.ts";
import { startPushService } from "../push/push-service.ts";
import { asn, observationResponses, observed, recordPeerings } from "../server/observed-peerings.ts";
import { signUp } from "../server/participant.ts";
import { agentResponse } from "../../support/agent-response.ts";
import { demoProfile } from "../server/profile-server.ts";

const node = "de01";
const root = join(import.meta.dirname, "../../..");
const everyMs = 50;

test("a session that goes down and comes back is alerted once each, and a restart repeats no alert", async () => {
  const dataDir = await createScratchFolder(onTestFinished);
  const service = await startPushService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  let isUp = true;
  let observations = 0;
  const router: Transport = async ({ path }) => {
    if (path === "/v1/observe") observations += 1;
    return agentResponse(responseOf(path, isUp));
  };
  const start = async () => {
    const nodes = demoProfile.nodes.filter(({ name }) => name === node);
    return startServer({
      environment: readEnvironment({ PORT: "0", DATA_DIR: dataDir }),
      profile: { ...demoProfile, nodes, publicUrl: "http://127.0.0.1", pushHosts: [service.host] },
      openTransport: () => router,
      webDir: join(root, "build/web"),
      log: createLog("silent"),
      observeEveryMs: everyMs,
      // Reads of a node are shared for a fifth of this time, by default for longer than an observation's interval.
      watchEveryMs: everyMs,
      passwords: createFastPasswords(),
      pushAgent: service.agent,
      extraRoutes: (outbox) => demoPages(outbox, []),
    });
  };
  const waitForObservations = async (times: number) => {
    const from = observations;
    await expect.poll(() => observations).toBeGreaterThan(from + times);
  };

  const first = await start();
  const browser = createBrowser(`https://${service.host}/phone`);
  const messages = () =>
    service.received.map(({ body }) => JSON.parse(browser.decrypt(body)) as Record<string, unknown>);
  try {
    const participant = await signUp(first.url, asn);
    const subscription = { username: asn, ...browser.subscription, alerts: true };
    await participant.call(calls.savePushSubscription, subscription);
    await using database = await openAsServer({ kind: "sqlite", dataDir });
    await recordPeerings(database.db, [node]);
    await waitForObservations(4);
    isUp = false;
    await service.receives(1);
    await waitForObservations(4);
  } finally {
    await first[Symbol.asyncDispose]();
  }
  const second = await start();
  try {
    await waitForObservations(4);
    isUp = true;
    await service.receives(2);
    await waitForObservations(4);
  } finally {
    await second[Symbol.asyncDispose]();
  }
  const message = { type: "session", username: asn, node, at: expect.any(Number) as number };
  expect(messages()).toEqual([
    { ...message, change: "down" },
    { ...message, change: "up" },
  ]);
  const [down, up] = service.received.map(({ headers }) => headers["topic"]);
  expect(down).toBe(up);
});

const nodeKey = Buffer.alloc(32, 9).toString("base64");

function responseOf(path: string, isUp: boolean): unknown {
  const responses: Record<string, unknown> = {
    ...observationResponses([observed({ isUp })]),
    "/v1/facts": { node, publicKey: nodeKey, keys: [nodeKey], simulation: true, version: "" },
    "/v1/generations": [{ asn, generation: 1, present: true, database: "" }],
  };
  return responses[path];
}
