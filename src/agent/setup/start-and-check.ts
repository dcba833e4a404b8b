/** Starts the service of a configured node, and checks its machine. */
import { join } from "node:path";
import { describeToOperator } from "../../domain/findings/findings.ts";
import { runAsOwner } from "../../system/run-as-owner.ts";
import type { AgentConfig } from "../config/agent-config.ts";
import { createBirdControl } from "../drivers/bird/control-socket.ts";
import { createConfigReader } from "../drivers/bird/included-files.ts";
import { ownedInterfacesFile, readOwnedInterfaces } from "../drivers/wireguard/owned-interfaces.ts";
import { findRepairPause } from "../reconcile/repair-pause.ts";
import { describeVersion } from "./bird-version.ts";
import { checkDroppingChains, checkLinks } from "./forwarding-checks.ts";
import {
  checkFirewall,
  checkIpv6,
  checkProbes,
  checkRouter,
  checkWireguard,
  type RouterChecks,
} from "./machine-checks.ts";
import { checkService, restartUnit, type ServiceState } from "./service-check.ts";
import { print, type SetupMachine } from "./setup-machine.ts";

const firstRoasTimeoutMs = 10_000;
const pollMs = 500;

/**
 * Checks the machine and prints what it finds. Returns the state of the agent's service; null without systemd, or if the agent
 * is not installed from its package.
 *
 * @param isNew whether the service is started first, with a new configuration
 */
export async function startAndCheck(
  config: AgentConfig,
  machine: SetupMachine,
  isNew: boolean,
): Promise<ServiceState | null> {
  const isStarted = isNew && machine.hasSystemd;
  // If it does not start, the checks say why.
  if (isStarted) print(await restartUnit(machine.run, "peerdeck-agent.service"));
  // A newly started agent is still loading its first ROAs.
  const deadline = machine.clock.now() + (isStarted ? firstRoasTimeoutMs : 0);
  let { problems, notes, birdVersion } = await checkMachine(config, machine);
  while (problems.length > 0 && machine.clock.now() < deadline) {
    await machine.clock.sleep(pollMs);
    ({ problems, notes, birdVersion } = await checkMachine(config, machine));
  }
  const service = machine.hasSystemd ? await checkService(machine.run) : null;
  if (service?.isRunning === false) problems = [...problems, "The agent's service does not run; see below."];
  if (problems.length === 0) print("This machine meets all requirements of a node.");
  else print(["Problems found:", ...problems.map((problem) => `- ${problem}`)].join("\n"));
  if (birdVersion !== null) print(describeVersion(birdVersion));
  notes.forEach(print);
  return service;
}

interface MachineChecks extends RouterChecks {
  /** What is no problem, and for the operator to check. */
  readonly notes: readonly string[];
}

async function checkMachine(config: AgentConfig, machine: SetupMachine): Promise<MachineChecks> {
  const { state_dir: stateDir, linux } = config;
  const bird = createBirdControl(linux.bird_socket);
  const tunnels = Object.values(linux.tunnels).map((tunnel) => tunnel.interface);
  const links = {
    run: machine.run,
    bird,
    listed: [...tunnels, ...linux.firewall.interfaces],
    participants: await readOwnedInterfaces(join(stateDir, ownedInterfacesFile)),
  };
  // Runs as the agent's user, so that missing permissions show up.
  const { router, ofLinks, ofIpv6, ofPause } = await runAsOwner(stateDir, async () => ({
    router: await checkRouter({
      bird,
      birdFiles: await createConfigReader(() => false)(machine.birdFile),
      birdDir: linux.bird_dir,
      roaDir: linux.roa.dir,
      asn: config.asn,
      providerPrefixes: config.rules.provider_prefixes,
    }),
    ofLinks: await checkLinks(links),
    ofIpv6: await checkIpv6(config),
    ofPause: await findRepairPause(stateDir, machine.clock.now()),
  }));
  const chains = await checkDroppingChains(machine.run);
  const ofMachine = [
    ...(await checkWireguard(machine.run)),
    ...(await checkFirewall(machine.run)),
    ...(await checkProbes(machine.run)),
  ];
  return {
    problems: [...ofMachine, ...chains.problems, ...ofIpv6, ...router.problems, ...ofLinks],
    notes: [...chains.notes, ...ofPause.map(describeToOperator)],
    birdVersion: router.birdVersion,
  };
}
