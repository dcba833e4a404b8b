import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createAgent } from "../../../src/agent/agent.ts";
import { systemClock } from "../../../src/agent/clock.ts";
import type { Router } from "../../../src/agent/drivers/router.ts";
import { simulatedResolver } from "../../../src/agent/drivers/simulated/simulated-resolver.ts";
import { createSimulatedRouter } from "../../../src/agent/drivers/simulated/simulated-router.ts";
import { listenForServers } from "../../../src/agent/http/listen-for-servers.ts";
import { createStateFile } from "../../../src/agent/reconcile/state-file.ts";
import { calls } from "../../../src/contract/calls.ts";
import { createPinnedTransport } from "../../../src/mtls/pinned-transport.ts";
import { openIdentity } from "../../../src/mtls/tls-identity.ts";
import { readProfile } from "../../../src/server/config/profile-file.ts";
import { createLog } from "../../../src/server/log.ts";
import { repository } from "../../support/repository.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";
import { startNodeServer } from "./node-server.ts";
import { waitForTask, type Participant, peerUpdate, signUp } from "./participant.ts";

const node = "syd01";
const log = createLog("silent");

export interface EndlessPings extends AsyncDisposable {
  readonly url: string;
  /** With a peering on `node`. */
  readonly participant: Participant;
  readonly node: string;
  /** The numbers of pings that the node has started and ended. */
  readonly pings: { readonly started: number; readonly ended: number };
}

/** A server and the agent of one node over pinned TLS. The agent's pings last until they are aborted. */
export async function startWithEndlessPings(): Promise<EndlessPings> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(scratchFolder(), "peerdeck-cancel-"));
  parts.defer(() => rm(folder, { recursive: true }));
  const profile = await readProfile(join(repository, "src/demo/provider.toml"));
  const pings = { started: 0, ended: 0 };
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
        pings.started += 1;
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
    ["server", "agent"].map((name) => openIdentity(join(folder, name), name)),
  );
  const [serverIdentity, agentIdentity] = identities;
  if (!serverIdentity || !agentIdentity) throw new Error("no identities");
  const listening = parts.use(
    await listenForServers({
      host: "127.0.0.1",
      port: 0,
      identity: agentIdentity,
      fingerprints: [serverIdentity.fingerprint],
      serverAddresses: [],
      handle: agent.handle,
      clock: systemClock,
      log,
    }),
  );
  const transport = parts.use(
    createPinnedTransport({
      url: `https://127.0.0.1:${listening.address.port}`,
      identity: serverIdentity,
      fingerprint: agentIdentity.fingerprint,
      timeoutMs: 60_000,
    }),
  );
  const server = parts.use(await startNodeServer({ node, transport, dataDir: join(folder, "data") }));
  const participant = await signUp(server.url, "4242420001");
  const { taskID } = await participant.call(calls.updatePeerConfig, [
    { username: participant.asn },
    peerUpdate({ node, peer_ipv6: "fe80::1" }),
  ]);
  const { status } = await waitForTask(participant, taskID);
  if (status !== "success") throw new Error("the peering was not deployed");
  const running = parts.move();
  return { url: server.url, participant, node, pings, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
