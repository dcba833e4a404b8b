/**
 * The program of all agents: each is a TLS server of its own, as on a node, with simulated peerings. It is a process of its
 * own, so that the server's CPU time is the server's alone.
 */
import { systemClock } from "#agent/clock.ts";
import { silentLog } from "#agent/fixtures/silent-log.ts";
import { createAgentApp } from "#agent/http/agent-app.ts";
import { listenForServers } from "#agent/http/listen-for-servers.ts";
import { openIdentity } from "#mtls/tls-identity.ts";
import type { AgentAt } from "#tests/integration/provider/provider.ts";
import { endWithParent } from "./end-with-parent.ts";
import { listPlaces, peeringAt } from "./layout.ts";
import { createNodeCalls } from "./node-state.ts";

/** The content of SCALE_AGENTS. */
export interface AgentsOptions {
  readonly agents: readonly AgentAt[];
  readonly peerings: number;
  /** The identity of the server's database. */
  readonly database: string;
  /** The fingerprint of the server. */
  readonly server: string;
}

endWithParent();
const { agents, peerings, database, server } = JSON.parse(process.env["SCALE_AGENTS"] ?? "") as AgentsOptions;
const placesOf = Map.groupBy(listPlaces(peerings), ({ node }) => node);
for (const { node, port, stateDir } of agents) {
  const handlers = createNodeCalls(node, database, (placesOf.get(node) ?? []).map(peeringAt));
  await listenForServers({
    host: "127.0.0.1",
    port,
    identity: await openIdentity(stateDir, `Peerdeck agent ${node}`),
    fingerprints: [server],
    serverAddresses: () => [],
    handle: createAgentApp({ handlers, log: silentLog }),
    clock: systemClock,
    log: silentLog,
  });
}
process.stdout.write(`${JSON.stringify({ msg: "the agents are listening" })}\n`);
