/**
 * A real router: WireGuard through `ip` and `wg`, BIRD through its control socket, the packet filter through
 * `nft`.
 *
 * Invariants: `set` is all or nothing over all three. Tunnels are added and edited after BIRD's files are
 * written and before BIRD reads them, so that a session finds its interface. They are removed after BIRD
 * confirmed, so that a rolled-back tunnel never loses its handshake. The packet filter knows a tunnel before it
 * is created and until it is removed. `running` changes in one step, when all are done.
 */
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { interfaceName, sessionsOf } from "#domain/peering/bgp-sessions.ts";
import type { Clock } from "../../clock.ts";
import type { OwnTunnel } from "../../config/agent-config.ts";
import type { Log } from "../../log.ts";
import { ProcessError, type Run } from "#system/processes.ts";
import { createBirdControl } from "../bird/control-socket.ts";
import { createGenerations } from "../bird/generations.ts";
import { createBirdQueries } from "../bird/queries.ts";
import { createSessionFiles } from "../bird/session-files.ts";
import type { UnloadedChanges } from "../bird/unloaded-changes.ts";
import { createDriftFinder } from "../drift/drift-finder.ts";
import { createNodeAddresses } from "../drift/node-addresses.ts";
import { createFirewall } from "../firewall/firewall.ts";
import type { FirewallPolicy } from "../firewall/render.ts";
import { monitorStrictSources } from "../firewall/strict-sources.ts";
import {
  type DriftFinding,
  ignoredReport,
  type RoutedPeering,
  type Router,
  RouterBusyError,
  RouterRefusedError,
  RouterUnavailableError,
  type SetReport,
} from "../router.ts";
import { createHandshakeKick } from "../wireguard/handshake-kick.ts";
import { openInterfaceCommands } from "../wireguard/interface-commands.ts";
import { openNodeKey } from "../wireguard/node-key.ts";
import { openOwnedInterfaces, ownedInterfacesFile } from "../wireguard/owned-interfaces.ts";
import { createWireguardReader } from "../wireguard/read-interfaces.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import { showTunnel } from "../wireguard/show-tunnel.ts";
import { createTunnels, type PreparedTunnels } from "../wireguard/tunnels.ts";
import { readExposure } from "./exposure.ts";
import { createUsageMeter } from "./node-usage.ts";
import { monitorLatency } from "./latency.ts";
import { probesFrom, targetsOfLinks, targetsOfPeerings } from "./latency-targets.ts";
import { observePeerings } from "./observe-peerings.ts";
import { readLinks } from "./read-links.ts";
import { withRouterErrors } from "./router-errors.ts";
import { readRouterHealth } from "./router-health.ts";
import { portsOfTunnels, readValuesInUse } from "./values-in-use.ts";
import { endpointRoundTripMs, pingThrough } from "./ping.ts";

export interface LinuxRouterOptions {
  readonly node: string;
  /** The provider's AS number. */
  readonly providerAsn: string;
  /** The folder for the node's key and the list of its own interfaces. */
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

/** Opens the node's key, or creates it, and adds the node's addresses. Changes neither WireGuard nor BIRD before the first `set`. */
export async function createLinuxRouter(options: LinuxRouterOptions): Promise<LinuxRouter> {
  const { node, providerAsn, stateDir, birdDir, unloadedChanges, run, clock, log } = options;
  const key = await openNodeKey(stateDir);
  const owned = await openOwnedInterfaces(join(stateDir, ownedInterfacesFile));
  const bird = createBirdControl(options.birdSocket);
  const commands = await openInterfaceCommands(run, stateDir, clock.sleep);
  const wireguard = createWireguardReader(run, clock);
  const tunnels = createTunnels({ run, wireguard, commands, owned, key, clock });
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
  const queries = createBirdQueries(bird, providerAsn);
  const kick = createHandshakeKick({ run, commands, privateKey: key.privateKey, clock, log });
  const usage = createUsageMeter(bird);
  let running: RoutedSet = new Map();
  /** Whether BIRD and its files are known to match `running`. */
  let isInSync = false;
  /** Whether a set that the agent does not know of has failed, so that `findDrift` has to say so. */
  let hasFailedToFollow = false;
  /** Whether BIRD still has sessions of removed peerings. */
  let hasPostponedSessions = false;
  let settingDone: Promise<void> = Promise.resolve();

  const sources = monitorStrictSources({ bird, clock, log, running: () => running });

  async function set(desired: readonly RoutedPeering[], report: SetReport): Promise<void> {
    const desiredSet: RoutedSet = new Map(desired.map((routed) => [routed.peering.asn, routed]));
    // After a restart of the agent, the first table limits the sources already.
    if (running.size === 0) await firewall.setSources(await sources.refresh(desiredSet));
    const recovered = isInSync ? null : await generations.recover();
    if (recovered !== null) report.step(recovered);
    const { files, hasChanges: hasBirdChanges, isPostponed } = await sessionFiles.plan(desired);
    const hasOtherChanges =
      !tunnels.isCurrent(desiredSet) || !firewall.isCurrent(desiredSet) || !nodeAddresses.isCurrent();
    if (isInSync && !hasBirdChanges && !hasOtherChanges) return;
    await kick.stop();
    let prepared: PreparedTunnels = { restarted: [], repaired: [], leftovers: 0 };
    const prepare = async () => {
      await nodeAddresses.restore();
      await firewall.prepare(desiredSet);
      prepared = await tunnels.prepare(desiredSet, report.requested);
      prepared.repaired.forEach(report.repairedTunnel);
      report.completed("tunnels");
    };
    const wasInSync = isInSync;
    isInSync = false;
    try {
      if (hasBirdChanges) {
        await generations.apply({ files, beforeSwap: prepare, report });
      } else {
        await prepare();
        if (isPostponed) report.postponedSessions();
      }
    } catch (error) {
      await tunnels.undo();
      await firewall.undo();
      if (!(error instanceof RouterRefusedError || error instanceof ProcessError)) throw error;
      isInSync = wasInSync;
      throw error instanceof RouterRefusedError
        ? error
        : new RouterRefusedError({ code: "tunnel-not-set-up", facts: {} }, { cause: error });
    }
    running = desiredSet;
    hasPostponedSessions = isPostponed;
    await tunnels.finish();
    const { restarted, leftovers } = prepared;
    if (leftovers > 0) report.step({ code: "leftovers-removed", facts: { tunnels: leftovers } });
    report.completed("removed tunnels");
    await firewall.finish();
    isInSync = true;
    drift.noteRepaired();
    kick.watch(restarted);
  }

  async function followDisabled(): Promise<void> {
    if (await sessionFiles.areCurrent()) return;
    if (!isInSync)
      throw new RouterUnavailableError("The router may not run its confirmed configuration, so it waits.");
    await set(Array.from(running.values()), ignoredReport).catch((error: unknown) => {
      hasFailedToFollow = !isInSync;
      throw error;
    });
  }

  async function findDrift(): Promise<readonly DriftFinding[]> {
    // An incoming change must not wait; the next check finds the same drift.
    if (kick.isBusy()) return [];
    await firewall.setSources(sources.current());
    const isBirdInSync = isInSync || hasFailedToFollow;
    const { findings, hasBirdDrifted } = await drift.find({ isBirdInSync, hasPostponedSessions });
    hasFailedToFollow = false;
    if (hasBirdDrifted) isInSync = false;
    return findings;
  }

  const readTunnels = () => wireguard.read(Array.from(running.keys(), interfaceName));

  const latency = monitorLatency({
    run,
    targets: async () => [
      ...targetsOfLinks(options.tunnels),
      ...(running.size === 0 ? [] : targetsOfPeerings(running, await readTunnels())),
    ],
    waitForIdle: () => settingDone,
    clock,
    log,
  });

  const sessionsFor = (asn: string) => {
    const routed = running.get(asn);
    if (!routed) throw new Error(`no peering with AS${asn}`);
    return sessionsOf(routed.peering);
  };

  const observe = () =>
    observePeerings({
      running: () => running,
      readTunnels,
      queries,
      protocolsOf: sessionFiles.protocolsOf,
      leftOut: tunnels.leftOut,
      probesOf: ({ peering }) => probesFrom(peering, latency.of(interfaceName(peering.asn))),
    });

  const isParticipants = (name: string) => owned.names().has(name);
  const readOwnLinks = () => readLinks({ node, tunnels: options.tunnels, wireguard, run, latency });
  const readHealth = () =>
    readRouterHealth({
      run,
      bird,
      unloadedChanges,
      sessionFiles,
      firewall,
      tunnels,
      drift,
      wireguard,
      running: () => running,
      observe,
      ownInterfaces: options.firewall.interfaces,
      isParticipants,
      hasIpv6Addresses: options.addresses.some((address) => address.includes(":")),
    });

  async function readInUse() {
    const states = await wireguard.read(owned.names());
    return readValuesInUse(portsOfTunnels(states.values(), tunnels.leftOut()), isParticipants);
  }

  return {
    facts: async () => ({ publicKey: key.publicKey, simulation: false }),
    set: (desired, report) => {
      const done = withRouterErrors(() => set(desired, report));
      settingDone = done.catch(() => {});
      return done;
    },
    followDisabled: () => withRouterErrors(followDisabled),
    findDrift: () => withRouterErrors(findDrift),
    updateSources: () => withRouterErrors(() => firewall.updateSources(sources.current())),
    observe: () => withRouterErrors(observe),
    health: () => withRouterErrors(readHealth),
    usage: () => withRouterErrors(usage),
    inUse: () => withRouterErrors(readInUse),
    exposure: async () => readExposure(options.firewall, networkInterfaces(), running, isParticipants),
    setOtherNodes: ({ nodes, strictSource }) => {
      sources.setStrict(strictSource);
      return withRouterErrors(() => firewall.setOtherNodes(nodes));
    },
    links: () => withRouterErrors(readOwnLinks),
    roundTrip: (address) => withRouterErrors(() => settingDone.then(() => endpointRoundTripMs(run, address))),
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
      await settingDone;
      await kick[Symbol.asyncDispose]();
      await sources[Symbol.asyncDispose]();
      await latency[Symbol.asyncDispose]();
    },
  };
}
