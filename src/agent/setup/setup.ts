/**
 * `peerdeck-agent setup`: configures a machine with the installed package as a node, or checks a configured node. Files that
 * the agent owns are created as its user.
 */
import { mkdir } from "node:fs/promises";
import { openIdentity } from "../../mtls/tls-identity.ts";
import { runAsOwner } from "../../system/run-as-owner.ts";
import type { AgentConfig } from "../config/agent-config.ts";
import { createOtherNodesFile } from "../reconcile/other-nodes.ts";
import { parseSetupArguments, type SetupArguments, SetupError, usage } from "./setup-arguments.ts";
import { print, type SetupMachine, withMachineErrors } from "./setup-machine.ts";
import { startAndCheck } from "./start-and-check.ts";
import { readAgentConfig, writeAgentConfig, writeBirdConfig } from "./write-files.ts";

/** Runs the command. */
export async function runSetup(args: readonly string[], machine: SetupMachine): Promise<void> {
  const setupArguments = parseSetupArguments(args);
  if (setupArguments === "help") return print(usage.trimEnd());
  await withMachineErrors("setup", () => setupAndCheck(setupArguments, machine));
}

async function setupAndCheck(setupArguments: SetupArguments | null, machine: SetupMachine): Promise<void> {
  const existing = await readAgentConfig(machine);
  if (existing !== null && setupArguments !== null) print(`Kept ${machine.configPath} unchanged.`);
  const config = existing ?? (await createAgentConfig(setupArguments, machine));
  if (setupArguments !== null) await writeBirdConfig(setupArguments.prefixes, config, machine);
  const { state_dir: stateDir } = config;
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const identity = await runAsOwner(stateDir, () => openIdentity(stateDir, `Peerdeck agent ${config.node}`));
  const service = await startAndCheck(config, machine, existing === null);
  print(`The fingerprint of this agent is ${identity.fingerprint}.`);
  await printServers(config, machine);
  if (service === null) return;
  if (!service.isRunning) throw new SetupError(service.description);
  print(service.description);
}

function createAgentConfig(
  setupArguments: SetupArguments | null,
  machine: SetupMachine,
): Promise<AgentConfig> {
  if (setupArguments === null) throw new SetupError(`${machine.configPath} does not exist yet.\n\n${usage}`);
  return writeAgentConfig(setupArguments, machine);
}

/** Says which servers can connect, if that needs the operator. */
async function printServers(config: AgentConfig, { configPath }: SetupMachine): Promise<void> {
  if (config.server_fingerprints.length === 0) {
    print(
      `No server can connect yet. On the server, peerdeck nodes add ${config.node} --place "City, Country" prints a line to run ` +
        "here, which begins with peerdeck-agent join.",
    );
  }
  const { state_dir: stateDir, node } = config;
  const known = await runAsOwner(stateDir, () => createOtherNodesFile(stateDir, node).load());
  if (config.server_addresses.length > 0 || (known?.provider?.servers ?? []).length > 0) return;
  print(
    "Every address can connect to the agent's port, until the server has told its addresses. They can also be in " +
      `server_addresses in ${configPath}.`,
  );
}
