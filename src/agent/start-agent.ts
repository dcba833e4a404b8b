import { mkdir } from "node:fs/promises";
import type { Logger } from "pino";
import { openIdentity } from "../mtls/tls-identity.ts";
import { serveMetrics } from "../system/metrics-server.ts";
import { createAgent } from "./agent.ts";
import { systemClock } from "./clock.ts";
import type { AgentConfig } from "./config/agent-config.ts";
import type { ApplyOrder } from "./drivers/linux/apply-steps.ts";
import { openLinuxNode } from "./drivers/linux/linux-node.ts";
import type { Router } from "./drivers/router.ts";
import { simulatedResolver } from "./drivers/simulated/simulated-resolver.ts";
import { openSimulatedKeys } from "./drivers/simulated/simulated-keys.ts";
import { createSimulatedRouter } from "./drivers/simulated/simulated-router.ts";
import { createEventFile } from "./events/event-file.ts";
import { listenForServers } from "./http/listen-for-servers.ts";
import type { Log } from "./log.ts";
import { createOtherNodesFile } from "./reconcile/other-nodes.ts";
import { createRepairPause } from "./reconcile/repair-pause.ts";
import { createStateFile } from "./reconcile/state-file.ts";
import { onlyRoutable } from "./resolve/routable-addresses.ts";
import { createSystemResolver } from "./resolve/system-resolver.ts";
import { createAcceptedServers } from "./servers/accepted-servers.ts";
import { lockState } from "./state-lock.ts";
import { readAgentVersion } from "./version.ts";

/**
 * Starts the agent of one node, and resolves when it listens. Disposing it finishes a change in progress.
 *
 * @param timeScale the length of a second of a simulated router, in seconds
 * @param order the order of a change of a real router, if it is not the usual one
 */
export async function startAgent(
  config: AgentConfig,
  log: Logger,
  timeScale: number,
  order?: ApplyOrder,
): Promise<AsyncDisposable> {
  await using parts = new AsyncDisposableStack();
  const version = await readAgentVersion();
  await mkdir(config.state_dir, { recursive: true, mode: 0o700 });
  parts.use(await lockState(config.state_dir));
  const identity = await openIdentity(config.state_dir, `Peerdeck agent ${config.node}`);
  const agent = parts.use(
    await createAgent({
      node: config.node,
      version,
      router: await openRouter(config, log, timeScale, order),
      resolver: config.resolver === "system" ? onlyRoutable(createSystemResolver()) : simulatedResolver,
      store: createStateFile(config.state_dir, config.node),
      eventStore: createEventFile(config.state_dir, config.node),
      otherNodesStore: createOtherNodesFile(config.state_dir, config.node),
      serverAddresses: config.server_addresses,
      acceptedServers: createAcceptedServers(config.state_dir),
      ...(config.router === "linux" && {
        repairPause: createRepairPause(config.state_dir, systemClock, log),
      }),
      rules: {
        providerAsn: config.asn,
        allowDocumentation: config.rules.allow_documentation,
        providerEndpoints: config.rules.provider_endpoints,
        providerPrefixes: config.rules.provider_prefixes,
      },
      clock: systemClock,
      log,
    }),
  );
  const server = parts.use(
    await listenForServers({
      ...config.listen,
      identity,
      fingerprints: config.server_fingerprints,
      serverAddresses: agent.serverAddresses,
      handle: agent.handle,
      clock: systemClock,
      log,
    }),
  );
  if (config.metrics_listen) {
    const metrics = parts.use(await serveMetrics(config.metrics_listen, agent.metrics));
    log.info({ address: metrics.address.address, port: metrics.address.port }, "metrics server listening");
  }
  const { address, port } = server.address;
  log.info(
    { version, address, port, fingerprint: identity.fingerprint, router: config.router },
    "agent listening",
  );
  if (config.server_fingerprints.length === 0) {
    log.warn(
      "server_fingerprints is empty, so no server can connect; add the fingerprint that peerdeck fingerprint prints on the server",
    );
  }
  return parts.move();
}

async function openRouter(
  config: AgentConfig,
  log: Log,
  timeScale: number,
  order?: ApplyOrder,
): Promise<Router> {
  const { node, asn: providerAsn, links } = config;
  if (config.router === "simulated") {
    return createSimulatedRouter({
      node,
      keys: await openSimulatedKeys(config.state_dir, node),
      providerAsn,
      nodes: [node, ...links],
      clock: systemClock,
      timeScale,
    });
  }
  return openLinuxNode(config, log, order);
}
