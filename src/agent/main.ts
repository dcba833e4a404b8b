import { mkdir } from "node:fs/promises";
import { pino } from "pino";
import { parsePrefix } from "../domain/prefix.ts";
import { IdentityError, openIdentity } from "../mtls/tls-identity.ts";
import { ConfigError } from "../system/config/config-error.ts";
import { readConfigFile } from "../system/config/config-file.ts";
import { readVariable } from "../system/config/environment-variable.ts";
import { createAgent } from "./agent.ts";
import { systemClock } from "./clock.ts";
import { type AgentConfig, parseAgentConfig } from "./config/agent-config.ts";
import { openLinuxNode } from "./drivers/linux/linux-node.ts";
import type { Router } from "./drivers/router.ts";
import { simulatedResolver } from "./drivers/simulated/simulated-resolver.ts";
import { createSimulatedRouter } from "./drivers/simulated/simulated-router.ts";
import { createEventFile } from "./events/event-file.ts";
import { listenForServers } from "./http/listen-for-servers.ts";
import type { Log } from "./log.ts";
import { serveMetrics } from "./metrics/agent-metrics.ts";
import { createStateFile } from "./reconcile/state-file.ts";
import { createSystemResolver } from "./resolve/system-resolver.ts";
import { SetupError } from "./setup/setup-arguments.ts";
import { runSetup } from "./setup/setup.ts";
import { lockState, StateLockedError } from "./state-lock.ts";
import { defaultConfigPath, usage } from "./usage.ts";
import { readAgentVersion } from "./version.ts";

const configVariable = "PEERDECK_AGENT_CONFIG";

/** Runs the agent of one node until SIGTERM or SIGINT. A change in progress is finished first. */
async function run(path: string): Promise<void> {
  const version = await readAgentVersion();
  const toml = await readConfigFile(path, "agent's configuration", configVariable);
  const config = parseAgentConfig(toml, path);
  const log = pino({ level: config.log_level, base: { node: config.node } });
  await mkdir(config.state_dir, { recursive: true, mode: 0o700 });
  await using _lock = await lockState(config.state_dir);
  const identity = await openIdentity(config.state_dir, `Peerdeck agent ${config.node}`);
  await using agent = await createAgent({
    node: config.node,
    version,
    router: await openRouter(config, log),
    resolver: config.resolver === "system" ? createSystemResolver() : simulatedResolver,
    store: createStateFile(config.state_dir, config.node),
    eventStore: createEventFile(config.state_dir, config.node),
    rules: {
      providerAsn: config.asn,
      allowDocumentation: config.rules.allow_documentation,
      providerEndpoints: config.rules.provider_endpoints,
      providerPrefixes: config.rules.provider_prefixes,
    },
    clock: systemClock,
    log,
  });
  await using server = await listenForServers({
    ...config.listen,
    identity,
    fingerprints: config.server_fingerprints,
    serverAddresses: config.server_addresses.flatMap((text) => parsePrefix(text) ?? []),
    handle: agent.handle,
    clock: systemClock,
    log,
  });
  await using metrics = config.metrics_listen && (await serveMetrics(config.metrics_listen, agent.metrics));
  if (metrics)
    log.info({ address: metrics.address.address, port: metrics.address.port }, "metrics server listening");
  const { address, port } = server.address;
  log.info(
    { version, address, port, fingerprint: identity.fingerprint, router: config.router },
    "agent listening",
  );
  if (config.server_fingerprints.length === 0) {
    log.warn(
      "server_fingerprints is empty, so no server can connect; add the fingerprint that the server prints at startup",
    );
  }
  const signal = await waitForStopSignal();
  log.info({ signal }, "agent stopping");
}

async function openRouter(config: AgentConfig, log: Log): Promise<Router> {
  const { node, asn: providerAsn, links } = config;
  if (config.router === "simulated") {
    return createSimulatedRouter({
      node,
      providerAsn,
      nodes: [node, ...links],
      clock: systemClock,
      timeScale: Number(process.env["DEMO_TIME_SCALE"] ?? 1),
    });
  }
  return openLinuxNode(config, log);
}

function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}

/** Runs the command and returns the exit code. */
async function runCommand(command: string | undefined, args: readonly string[]): Promise<number> {
  const path = readVariable(process.env, configVariable);
  switch (command) {
    case undefined:
      if (path === null) {
        process.stderr.write(`${configVariable} does not name a configuration.\n\n${usage}`);
        return 1;
      }
      await run(path);
      return 0;
    case "setup":
      await runSetup(args, path ?? defaultConfigPath, import.meta.dirname);
      return 0;
    case "--version":
      process.stdout.write(`${await readAgentVersion()}\n`);
      return 0;
    case "help":
    case "--help":
    case "-h":
      process.stdout.write(usage);
      return 0;
    default:
      process.stderr.write(`There is no command ${command}.\n\n${usage}`);
      return 2;
  }
}

/** Errors whose message alone tells the operator what to do; others are printed with their stack. */
const operatorErrors = [ConfigError, IdentityError, SetupError, StateLockedError];

try {
  const [command, ...args] = process.argv.slice(2);
  process.exitCode = await runCommand(command, args);
} catch (error) {
  const isOperatorError = operatorErrors.some((kind) => error instanceof kind);
  process.stderr.write(`${isOperatorError ? (error as Error).message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
}
