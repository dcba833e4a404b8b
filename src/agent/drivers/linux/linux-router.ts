/**
 * A real router: WireGuard through `ip` and `wg`, BIRD through its control socket, the packet filter through
 * `nft`.
 */
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { interfaceName, sessionsOf } from "#domain/peering/bgp-sessions.ts";
import type { Clock } from "../../clock.ts";
import type { OwnTunnel } from "../../config/agent-config.ts";
import type { Log } from "../../log.ts";
import type { Run } from "#system/processes.ts";
import type { WaitingCommand } from "#system/waiting-processes.ts";
import { createBirdControl } from "../bird/control-socket.ts";
import { createGenerations } from "../bird/generations.ts";
import { createSessionFiles } from "../bird/session-files.ts";
import type { UnloadedChanges } from "../bird/unloaded-changes.ts";
import { createDriftFinder } from "../drift/drift-finder.ts";
import { createNodeAddresses } from "../drift/node-addresses.ts";
import { createFirewall } from "../firewall/firewall.ts";
import { createForwardingCheck } from "../forwarding/forwarding-check.ts";
import { monitorForwarding } from "../forwarding/forwarding-monitor.ts";
import type { FirewallPolicy } from "../firewall/render.ts";
import { openRouterProbes } from "../probes/router-probes.ts";
import { type Router, RouterBusyError } from "../router.ts";
import { createHandshakeKick } from "../wireguard/handshake-kick.ts";
import { openInterfaceCommands } from "../wireguard/interface-commands.ts";
import { openOwnedInterfaces, ownedInterfacesFile } from "../wireguard/owned-interfaces.ts";
import { createWireguardReader } from "../wireguard/read-interfaces.ts";
import { watchSessions } from "../session-watch/watch-sessions.ts";
import { showTunnel } from "../wireguard/show-tunnel.ts";
import { openTunnelKeys } from "../wireguard/tunnel-keys.ts";
import { createTunnels } from "../wireguard/tunnels.ts";
import { type ApplyOrder, applyOrder } from "./apply-steps.ts";
import { readExposure } from "./exposure.ts";
import { createUsageMeter } from "./node-usage.ts";
import { observePeerings } from "./observe-peerings.ts";
import { createRouterChanges } from "./router-changes.ts";
import { withRouterErrors } from "./router-errors.ts";
import { readRouterHealth } from "./router-health.ts";
import { portsOfTunnels, readValuesInUse } from "./values-in-use.ts";
import { endpointRoundTripMs, pingThrough } from "./ping.ts";

export interface LinuxRouterOptions {
  readonly node: string;
  /** The provider's AS number. */
  readonly providerAsn: string;
  /** The folder for the node's keys and the list of its own interfaces. */
  readonly stateDir: string;
  /** The folder whose `current/*.conf` bird.conf includes; no other program writes there. */
  readonly birdDir: string;
  /** BIRD's control socket. */
  readonly birdSocket: string;
  /** The provider's own tunnels, by the node at their other end. */
  readonly tunnels: Readonly<Record<string, OwnTunnel>>;
  readonly firewall: FirewallPolicy;
  /** The node's own addresses on the loopback interface, with lengths. */
  readonly addresses: readonly string[];
  readonly unloadedChanges: UnloadedChanges;
  /** The order of a change, if it is not the usual one: for tests and benchmarks. */
  readonly order?: ApplyOrder | undefined;
  readonly run: Run;
  readonly clock: Clock;
  readonly log: Log;
}

export interface LinuxRouter extends Router {
  /**
   * Writes into BIRD's files which sessions the operator disabled, so that a `configure` does not enable them. Never called
   * while a `set` runs. Rejects if the files cannot follow BIRD now.
   */
  readonly followDisabled: () => Promise<void>;
}

/** The commands of an apply that read their work from standard input. */
export const commandsWithInput: readonly WaitingCommand[] = [
  { program: "nft", args: ["-f", "-"] },
  { program: "ip", args: ["-batch", "-"] },
];

/**
 * Opens the node's keys, or creates the first one, and adds the node's addresses. Changes neither WireGuard nor BIRD before the
 * first `set`.
 */
export async function createLinuxRouter(options: LinuxRouterOptions): Promise<LinuxRouter> {
  const { providerAsn, stateDir, birdDir, unloadedChanges, run, clock, log } = options;
  const keys = await openTunnelKeys(stateDir);
  const owned = await openOwnedInterfaces(join(stateDir, ownedInterfacesFile));
  const bird = createBirdControl(options.birdSocket);
  const commands = await openInterfaceCommands(run, stateDir, clock.sleep);
  const wireguard = createWireguardReader(run, clock);
  const tunnels = createTunnels({ run, wireguard, commands, owned, keys, clock });
  const firewall = createFirewall({ run, policy: options.firewall, owned });
  const generations = createGenerations({
    folder: birdDir,
    bird,
    beforeConfigure: async () => {
      const unloaded = await unloadedChanges.find();
      if (unloaded !== null) throw new RouterBusyError(unloaded);
    },
    clock,
  });
  const sessionFiles = createSessionFiles({ bird, generations, unloadedChanges, providerAsn, clock });
  const nodeAddresses = createNodeAddresses({ addresses: options.addresses, run, clock, log });
  nodeAddresses.restoreNext(options.addresses);
  await nodeAddresses.restore();
  const drift = createDriftFinder({
    tunnels,
    firewall,
    generations,
    unloadedChanges,
    sessionFiles,
    nodeAddresses,
    clock,
    log,
  });
  const kick = createHandshakeKick({ run, commands, keys, clock, log });
  const usage = createUsageMeter(bird);
  const changes = createRouterChanges({
    bird,
    generations,
    sessionFiles,
    tunnels,
    firewall,
    nodeAddresses,
    drift,
    kick,
    order: options.order ?? applyOrder,
    clock,
    log,
  });
  const { running, sources } = changes;
  const queries = watchSessions({ providerAsn, bird, run, running, clock, log });

  const readTunnels = () => wireguard.read(Array.from(running().keys(), interfaceName));

  const forwarding = monitorForwarding({
    check: createForwardingCheck({
      run,
      addresses: options.addresses,
      ownTunnels: Object.values(options.tunnels).map((tunnel) => tunnel.interface),
      ownInterfaces: options.firewall.interfaces,
      leftOut: tunnels.leftOut,
    }),
    running,
    settled: changes.settled,
    clock,
    log,
  });

  const probes = openRouterProbes({ ...options, wireguard, running, waitForIdle: changes.settled });

  const sessionsFor = (asn: string) => {
    const routed = running().get(asn);
    if (!routed) throw new Error(`no peering with AS${asn}`);
    return sessionsOf(routed.peering);
  };

  const observe = () =>
    observePeerings({
      running,
      readTunnels,
      queries,
      protocolsOf: sessionFiles.protocolsOf,
      leftOut: tunnels.leftOut,
      probesOf: probes.probesOf,
      isNotForwarded: forwarding.isNotForwarded,
    });

  const isParticipants = (name: string) => owned.names().has(name);
  const readHealth = () =>
    readRouterHealth({
      run,
      bird,
      unloadedChanges,
      sessionFiles,
      firewall,
      tunnels,
      drift,
      forwarding,
      wireguard,
      running,
      observe,
      probes,
      ownInterfaces: options.firewall.interfaces,
      isParticipants,
      hasIpv6Addresses: options.addresses.some((address) => address.includes(":")),
    });

  async function readInUse() {
    const states = await wireguard.read(owned.names());
    return readValuesInUse(portsOfTunnels(states.values(), tunnels.leftOut()), isParticipants);
  }

  return {
    ...keys.ofNode,
    facts: async () => ({ publicKey: keys.ofNode.nodeKeys()[0], simulation: false }),
    set: (desired, report) => {
      queries.expectChanges(report.requested);
      const done = changes.set(desired, report).finally(forwarding.noteChange);
      probes.interrupt();
      return done;
    },
    followDisabled: changes.followDisabled,
    findDrift: changes.findDrift,
    updateSources: () => withRouterErrors(() => firewall.updateSources(sources.current())),
    observe: () => withRouterErrors(observe),
    health: () => withRouterErrors(readHealth),
    usage: () => withRouterErrors(usage),
    inUse: () => withRouterErrors(readInUse),
    exposure: async () => readExposure(options.firewall, networkInterfaces(), running(), isParticipants),
    setOtherNodes: (others) => {
      sources.setStrict(others.strictSource);
      probes.setOtherNodes(others.nodes);
      return withRouterErrors(() => firewall.setOtherNodes(others));
    },
    links: () => withRouterErrors(probes.links),
    roundTrip: (address) =>
      withRouterErrors(() => changes.settled().then(() => endpointRoundTripMs(run, address))),
    details: (asn) =>
      withRouterErrors(async () => {
        const [tunnel, bgp] = await Promise.all([
          showTunnel(run, interfaceName(asn)),
          queries.details(sessionsFor(asn)),
        ]);
        return { wireguard: tunnel, bgp };
      }),
    sessions: (asn) => withRouterErrors(() => queries.sessions(sessionsFor(asn))),
    restartBgp: (asn) => withRouterErrors(() => queries.restart(sessionsFor(asn))),
    receivedRoutes: (asn) => withRouterErrors(() => queries.received(sessionsFor(asn))),
    refusedRoutes: (asn) => withRouterErrors(() => queries.refused(sessionsFor(asn))),
    advertisedRoutes: (asn) => withRouterErrors(() => queries.advertised(sessionsFor(asn))),
    ping: (asn, address, signal) =>
      withRouterErrors(() => pingThrough(run, interfaceName(asn), address, signal)),
    [Symbol.asyncDispose]: async () => {
      await changes.settled();
      await kick[Symbol.asyncDispose]();
      await sources[Symbol.asyncDispose]();
      await forwarding[Symbol.asyncDispose]();
      await probes[Symbol.asyncDispose]();
      await queries[Symbol.asyncDispose]();
    },
  };
}
