/**
 * A node as configured: its own addresses, the router, and the ROAs that its filters use.
 *
 * Invariant: deployments and ROA updates never make BIRD read its configuration at the same time.
 */
import { type Address, formatAddress, formatPrefix } from "#domain/prefix.ts";
import { systemClock } from "../../clock.ts";
import { type AgentConfig, isInterfaceName } from "../../config/agent-config.ts";
import type { Log } from "../../log.ts";
import { runProcess } from "#system/processes.ts";
import { keepProcessesWaiting } from "#system/waiting-processes.ts";
import { createExclusive } from "../../exclusive.ts";
import { fetchText } from "../roa/fetch-text.ts";
import { monitorRoas } from "../roa/roa-monitor.ts";
import { createBirdControl } from "../bird/control-socket.ts";
import { createUnloadedChanges } from "../bird/unloaded-changes.ts";
import type { FirewallPolicy } from "../firewall/render.ts";
import type { Router } from "../router.ts";
import type { ApplyOrder } from "./apply-steps.ts";
import { commandsWithInput, createLinuxRouter } from "./linux-router.ts";

/** @param order the order of a change, if it is not the usual one */
export async function openLinuxNode(config: AgentConfig, log: Log, order?: ApplyOrder): Promise<Router> {
  const { linux } = config;
  const { bird_dir: birdDir, bird_socket: birdSocket, roa } = linux;
  const bird = createBirdControl(birdSocket);
  const unloadedChanges = createUnloadedChanges({
    bird,
    ownFolders: [birdDir, roa.dir],
    mayLoad: linux.load_bird_conf_changes,
    log,
  });
  const processes = keepProcessesWaiting(runProcess, commandsWithInput);
  const router = await createLinuxRouter({
    node: config.node,
    providerAsn: config.asn,
    stateDir: config.state_dir,
    birdDir,
    birdSocket,
    tunnels: linux.tunnels,
    firewall: firewallPolicy(config),
    addresses: linux.addresses.map(formatOwnAddress),
    unloadedChanges,
    order,
    run: processes.run,
    clock: systemClock,
    log,
  });
  const dispose = async () => {
    await router[Symbol.asyncDispose]();
    processes[Symbol.dispose]();
  };
  if (roa.ipv4 === undefined && roa.ipv6 === undefined) return { ...router, [Symbol.asyncDispose]: dispose };
  const exclusive = createExclusive();
  const roas = monitorRoas({
    sources: roa,
    folders: { roaDir: roa.dir, birdDir },
    everyMinutes: roa.every_minutes,
    bird,
    unloadedChanges,
    followDisabled: router.followDisabled,
    exclusive,
    read: fetchText,
    clock: systemClock,
    log,
  });
  return {
    ...router,
    set: (desired, report) => exclusive(() => router.set(desired, report)),
    findDrift: () => exclusive(router.findDrift),
    health: async () => {
      const health = await router.health();
      return {
        ...health,
        roaAgeSeconds: roas.ageSeconds(),
        findings: [...health.findings, ...roas.findings()],
      };
    },
    [Symbol.asyncDispose]: async () => {
      await roas[Symbol.asyncDispose]();
      await dispose();
    },
  };
}

/** Returns the packet filter's settings; `[linux.tunnels]` names the provider's own tunnels. */
function firewallPolicy({ listen, linux, rules, server_addresses }: AgentConfig): FirewallPolicy {
  const { interfaces, allow_input, accept_replies } = linux.firewall;
  const tunnelInterfaces = Object.values(linux.tunnels).map((tunnel) => tunnel.interface);
  const addresses = linux.addresses.map((address) => ({ ...address, length: address.bits }));
  return {
    interfaces: [...tunnelInterfaces.filter(isInterfaceName), ...interfaces],
    ownPrefixes: [...rules.provider_prefixes, ...addresses].map(formatPrefix),
    agent: listen,
    servers: server_addresses,
    allowInput: allow_input,
    acceptReplies: accept_replies,
  };
}

function formatOwnAddress(address: Address): string {
  return `${formatAddress(address)}/${address.bits}`;
}
