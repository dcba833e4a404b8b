import { pino } from "pino";
import { IdentityError } from "../mtls/tls-identity.ts";
import { ConfigError } from "../system/config/config-error.ts";
import { readConfigFile } from "../system/config/config-file.ts";
import { readVariable } from "../system/config/environment-variable.ts";
import { createLogDestination } from "../system/log-destination.ts";
import { tolerateLostOutput } from "../system/lost-output.ts";
import { type AgentConfig, parseAgentConfig } from "./config/agent-config.ts";
import { runJoin } from "./join/join.ts";
import { acceptServerAddress, acceptServerUsage } from "./setup/accept-server-command.ts";
import { setRepairs } from "./setup/pause-commands.ts";
import { SetupError } from "./setup/setup-arguments.ts";
import { thisMachine } from "./setup/setup-machine.ts";
import { runSetup } from "./setup/setup.ts";
import { StateCommandError } from "./setup/state-command-error.ts";
import { startAgent } from "./start-agent.ts";
import { StateLockedError } from "./state-lock.ts";
import { defaultConfigPath, usage } from "./usage.ts";
import { readAgentVersion } from "./version.ts";

const configVariable = "PEERDECK_AGENT_CONFIG";

/** Runs the agent of one node until SIGTERM or SIGINT. A change in progress is finished first. */
async function run(path: string): Promise<void> {
  const config = await readConfig(path);
  const log = pino({ level: config.log_level, base: { node: config.node } }, createLogDestination());
  await using _agent = await startAgent(config, log, Number(process.env["DEMO_TIME_SCALE"] ?? 1));
  const signal = await waitForStopSignal();
  log.info({ signal }, "agent stopping");
}

async function readConfig(path: string): Promise<AgentConfig> {
  const toml = await readConfigFile(path, "agent's configuration", configVariable);
  return parseAgentConfig(toml, path);
}

function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}

async function acceptServerCommand(args: readonly string[], path: string): Promise<number> {
  const [address = "", ...rest] = args;
  if (["--help", "-h"].includes(address)) {
    process.stdout.write(acceptServerUsage);
    return 0;
  }
  if (address === "" || rest.length > 0) {
    process.stderr.write(`accept-server takes one address. Nothing was changed.\n\n${acceptServerUsage}`);
    return 2;
  }
  process.stdout.write(`${await acceptServerAddress(address, await readConfig(path), path)}\n`);
  return 0;
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
      await runSetup(args, thisMachine(path ?? defaultConfigPath, import.meta.dirname));
      return 0;
    case "join":
      await runJoin(args, thisMachine(path ?? defaultConfigPath, import.meta.dirname));
      return 0;
    case "pause":
    case "resume":
      if (args.length > 0) {
        process.stderr.write(`${command} takes no arguments. Nothing was changed.\n\n${usage}`);
        return 2;
      }
      process.stdout.write(`${await setRepairs(command, await readConfig(path ?? defaultConfigPath))}\n`);
      return 0;
    case "accept-server":
      return acceptServerCommand(args, path ?? defaultConfigPath);
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
const operatorErrors = [ConfigError, IdentityError, SetupError, StateCommandError, StateLockedError];

tolerateLostOutput();
try {
  const [command, ...args] = process.argv.slice(2);
  process.exitCode = await runCommand(command, args);
} catch (error) {
  const isOperatorError = operatorErrors.some((kind) => error instanceof kind);
  process.stderr.write(`${isOperatorError ? (error as Error).message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
}
