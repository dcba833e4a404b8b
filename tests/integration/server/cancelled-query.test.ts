/** Somebody who gives a query up ends it on the node: from their connection over the server to the agent's ping. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "../../../src/agent/agent.ts";
import { systemClock } from "../../../src/agent/clock.ts";
import type { Router } from "../../../src/agent/drivers/router.ts";
import { simulatedResolver } from "../../../src/agent/drivers/simulated/simulated-resolver.ts";
import { createSimulatedRouter } from "../../../src/agent/drivers/simulated/simulated-router.ts";
import { createStateFile } from "../../../src/agent/reconcile/state-file.ts";
import { calls } from "../../../src/contract/calls.ts";
import { demoPages } from "../../../src/demo/pages.ts";
import { listenPinned } from "../../../src/identity/pinned-server.ts";
import { createPinnedTransport } from "../../../src/identity/pinned-transport.ts";
import { openIdentity } from "../../../src/identity/tls-identity.ts";
import { readEnvironment } from "../../../src/server/config/environment.ts";
import { readProfile } from "../../../src/server/config/profile-file.ts";
import { createLog } from "../../../src/server/http/log.ts";
import { startServer } from "../../../src/server/start.ts";
import { freePort } from "../../setup/free-port.ts";
import { repository } from "../../setup/repository.ts";
import { ended, peerUpdate, signUp } from "./participant.ts";

const node = "syd01";
const asn = "4242420001";
const log = createLog("silent");

/** A server and the agent of one node, each with its own certificate, over TLS; its pings last until they are ended. */
async function startWithEndlessPings() {
  const parts = new AsyncDisposableStack();
  onTestFinished(() => parts.disposeAsync());
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-cancel-"));
  parts.defer(() => rm(folder, { recursive: true }));
  const profile = await readProfile(join(repository, "src/demo/provider.toml"));
  const pings = { begun: 0, ended: 0 };
  const router: Router = {
    ...createSimulatedRouter({
      node,
      nodes: [node],
      providerAsn: profile.asn,
      clock: systemClock,
      timeScale: 0,
    }),
    ping: (_asn, _address, signal) =>
      new Promise((resolve) => {
        pings.begun += 1;
        signal.addEventListener("abort", () => {
          pings.ended += 1;
          resolve({ result: "failed", output: "" });
        });
      }),
  };
  const rules = {
    providerAsn: profile.asn,
    allowDocumentation: true,
    providerEndpoints: [],
    providerPrefixes: [],
  };
  const store = createStateFile(join(folder, "agent-state"), node);
  const agent = parts.use(
    await createAgent({ node, router, resolver: simulatedResolver, store, rules, clock: systemClock, log }),
  );
  const identities = await Promise.all(
    ["server", "agent"].map((who) => openIdentity(join(folder, who), who)),
  );
  const [ours, theirs] = identities;
  if (!ours || !theirs) throw new Error("no identities");
  const answer = getRequestListener(agent.handle, { overrideGlobalObjects: false });
  const listening = parts.use(
    await listenPinned({
      host: "127.0.0.1",
      port: 0,
      identity: theirs,
      fingerprints: [ours.fingerprint],
      listener: (incoming, outgoing) => void answer(incoming, outgoing),
      onRefused: () => {},
    }),
  );
  const transport = parts.use(
    createPinnedTransport({
      url: `https://127.0.0.1:${listening.address.port}`,
      identity: ours,
      fingerprint: theirs.fingerprint,
      timeoutMs: 60_000,
    }),
  );
  const port = String(await freePort());
  const server = parts.use(
    await startServer({
      environment: readEnvironment({ PORT: port, DATA_DIR: join(folder, "data"), LOG_LEVEL: "silent" }),
      profile: { ...profile, publicUrl: `http://127.0.0.1:${port}` },
      transports: new Map([[node, transport]]),
      webDir: join(repository, "build/web"),
      log,
      demo: true,
      extraRoutes: (outbox) => demoPages(outbox, []),
    }),
  );
  return { url: server.url, pings };
}

test("a ping that its caller gives up ends on the node, and counts no more as under way", async () => {
  const { url, pings } = await startWithEndlessPings();
  const participant = await signUp(url, asn);
  const { taskID } = await participant.call(calls.updatePeerConfig, [
    { username: asn },
    peerUpdate({ node, peer_ipv6: "fe80::1" }),
  ]);
  expect(await ended(participant, taskID)).toMatchObject({ status: "success" });
  // One more than an AS may have under way at once.
  for (let count = 1; count <= 5; count += 1) {
    const leaving = new AbortController();
    const asked = fetch(`${url}${calls.pingCheck.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: participant.cookie },
      body: JSON.stringify({ username: asn, node, addr_family: "ipv6" }),
      signal: leaving.signal,
    });
    await expect.poll(() => pings.begun, { timeout: 20_000 }).toBe(count);
    leaving.abort();
    await expect(asked).rejects.toThrow("aborted");
    await expect.poll(() => pings.ended, { timeout: 20_000 }).toBe(count);
  }
});
