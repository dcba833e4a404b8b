import { getRequestListener } from "@hono/node-server";
import { mkdir, readFile } from "node:fs/promises";
import { pino } from "pino";
import { listenPinned } from "../identity/pinned-server.ts";
import { openIdentity } from "../identity/tls-identity.ts";
import { createAgent } from "./agent.ts";
import { systemClock } from "./clock.ts";
import { type AgentConfig, ConfigError, parseAgentConfig } from "./config/agent-config.ts";
import { openLinuxNode } from "./drivers/linux/linux-node.ts";
import type { Router } from "./drivers/router.ts";
import { simulatedResolver } from "./drivers/simulated/simulated-resolver.ts";
import { createSimulatedRouter } from "./drivers/simulated/simulated-router.ts";
import type { Log } from "./log.ts";
import { serveMetrics } from "./metrics/metrics-server.ts";
import { createStateFile } from "./reconcile/state-file.ts";
import { createSystemResolver } from "./resolve/system-resolver.ts";
import { SetupRefused } from "./setup/setup-arguments.ts";
import { setUp } from "./setup/set-up.ts";
import { lockState, StateLocked } from "./state-lock.ts";

const variable = "PEERDECK_AGENT_CONFIG";

/** Runs the agent of one node until SIGTERM or SIGINT; a change under way is ended before. */
async function run(path: string | undefined): Promise<void> {
  if (!path) throw new ConfigError(`Set ${variable} to the path of the agent's TOML file.`);
  const config = parseAgentConfig(await readConfig(path), path);
  const log = pino({ level: config.log_level, base: { node: config.node } });
  await mkdir(config.state_dir, { recursive: true, mode: 0o700 });
  await using _lock = await lockState(config.state_dir);
  const identity = await openIdentity(config.state_dir, `Peerdeck agent ${config.node}`);
  await using agent = await createAgent({
    node: config.node,
    router: await openRouter(config, log),
    resolver: config.resolver === "system" ? createSystemResolver() : simulatedResolver,
    store: createStateFile(config.state_dir, config.node),
    rules: {
      providerAsn: config.asn,
      allowDocumentation: config.rules.allow_documentation,
      providerEndpoints: config.rules.provider_endpoints,
      providerPrefixes: config.rules.provider_prefixes,
    },
    clock: systemClock,
    log,
  });
  const answer = getRequestListener(agent.handle, { overrideGlobalObjects: false });
  await using server = await listenPinned({
    ...config.listen,
    identity,
    fingerprints: config.server_fingerprints,
    listener: (incoming, outgoing) => void answer(incoming, outgoing),
    onRefused: (fingerprint, address) => {
      log.warn({ fingerprint, address }, "refused a connection whose certificate is not pinned");
    },
  });
  await using metrics = config.metrics_listen && (await serveMetrics(config.metrics_listen, agent.metrics));
  if (metrics)
    log.info({ address: metrics.address.address, port: metrics.address.port }, "metrics are served");
  const { address, port } = server.address;
  log.info({ address, port, fingerprint: identity.fingerprint, router: config.router }, "the agent listens");
  if (config.server_fingerprints.length === 0) {
    log.warn(
      "server_fingerprints is empty, so nobody may connect; add what the server prints when it starts",
    );
  }
  const signal = await stopSignal();
  log.info({ signal }, "the agent stops");
}

async function openRouter(config: AgentConfig, log: Log): Promise<Router> {
  const { node, asn: providerAsn, linux, links } = config;
  if (config.router === "simulated") {
    return createSimulatedRouter({
      node,
      providerAsn,
      nodes: [node, ...links],
      clock: systemClock,
      timeScale: 1,
    });
  }
  return openLinuxNode({ node, providerAsn, stateDir: config.state_dir, linux, log });
}

async function readConfig(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}

/** Their messages are for whoever started the program, and say all. */
const told = [ConfigError, SetupRefused, StateLocked];

try {
  const [command, ...args] = process.argv.slice(2);
  const path = process.env[variable];
  if (command === "setup") await setUp(args, path ?? "/etc/peerdeck/agent.toml", import.meta.dirname);
  else await run(path);
} catch (error) {
  const plain = told.some((kind) => error instanceof kind);
  process.stderr.write(`${plain ? (error as Error).message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
}
