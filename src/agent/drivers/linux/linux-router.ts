/**
 * A real router: WireGuard through `ip` and `wg`, BIRD through its control socket.
 *
 * Invariants: `set` is all or nothing over both. Tunnels are added and edited after BIRD's files are written
 * and before BIRD reads them, so that a session finds its interface. They are removed after BIRD confirmed,
 * so that a rolled-back tunnel never loses its handshake. `running` changes in one step, when both are done.
 */
import { truncatedMark } from "../../../contract/diagnostics.ts";
import { join } from "node:path";
import type { Connection } from "../../../contract/entities.ts";
import { interfaceName, sessionsOf } from "../../../domain/peering/bgp-sessions.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { ProcessError, type Run, runOk } from "../../processes.ts";
import { BirdUnavailableError, createBirdControl } from "../bird/control-socket.ts";
import { createGenerations } from "../bird/generations.ts";
import { createBirdQueries } from "../bird/queries.ts";
import { renderBirdPeering } from "../bird/render.ts";
import {
  type ReportStep,
  type RoutedPeering,
  type Router,
  RouterRefusedError,
  RouterUnavailableError,
} from "../router.ts";
import { createHandshakeKick } from "../wireguard/handshake-kick.ts";
import { openInterfaceCommands } from "../wireguard/interface-commands.ts";
import { openNodeKey } from "../wireguard/node-key.ts";
import { openOwnedInterfaces } from "../wireguard/owned-interfaces.ts";
import { handshakeAge, isUp, parseDump, type TunnelPeer } from "../wireguard/parse-dump.ts";
import { createTunnels, type RoutedSet } from "../wireguard/tunnels.ts";
import { readNodeHealth } from "./node-health.ts";
import { createUsageMeter } from "./node-usage.ts";
import { monitorLatency } from "./latency.ts";
import { pingThrough } from "./ping.ts";

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
  /** The provider's own tunnels: WireGuard interfaces by the node at their other end. */
  readonly tunnels: Readonly<Record<string, string>>;
  readonly run: Run;
  readonly clock: Clock;
  readonly log: Log;
}

const textLimitBytes = 1024 * 1024 - 64;

/** Opens the node's key, or creates it. Changes neither WireGuard nor BIRD before the first `set`. */
export async function createLinuxRouter(options: LinuxRouterOptions): Promise<Router> {
  const { node, providerAsn, stateDir, birdDir, run, clock, log } = options;
  const key = await openNodeKey(stateDir);
  const owned = await openOwnedInterfaces(join(stateDir, "interfaces.json"));
  const bird = createBirdControl(options.birdSocket);
  const commands = await openInterfaceCommands(run, stateDir, clock.sleep);
  const tunnels = createTunnels({ run, commands, owned, key });
  const generations = createGenerations({ folder: birdDir, bird, clock });
  const queries = createBirdQueries(bird, providerAsn);
  const kick = createHandshakeKick({ run, commands, privateKey: key.privateKey, clock, log });
  const usage = createUsageMeter(bird);
  let running: RoutedSet = new Map();
  /** Whether files and router are known to match `running`. */
  let isInSync = false;
  let settingDone: Promise<void> = Promise.resolve();

  const render = memoizeByObject((routed: RoutedPeering) => ({
    text: renderBirdPeering(routed, { providerAsn }),
    protocols: sessionsOf(routed.peering).map(({ name }) => name),
  }));

  async function set(desired: readonly RoutedPeering[], report: ReportStep): Promise<void> {
    const desiredSet: RoutedSet = new Map(desired.map((routed) => [routed.peering.asn, routed]));
    const rendered = desired.map((routed) => ({
      name: interfaceName(routed.peering.asn),
      ...render(routed),
    }));
    const files = new Map(rendered.map(({ name, text }) => [`${name}.conf`, text]));
    if (!isInSync) await generations.recover();
    const hasBirdChanges = !generations.isCurrent(files);
    if (isInSync && !hasBirdChanges && tunnels.isCurrent(desiredSet)) return;
    await kick.stop();
    let restarted: readonly RoutedPeering[] = [];
    const prepare = async () => {
      restarted = await tunnels.prepare(desiredSet);
    };
    const wasInSync = isInSync;
    isInSync = false;
    try {
      if (hasBirdChanges) {
        await generations.apply({ files, beforeSwap: prepare, report });
      } else {
        await prepare();
      }
    } catch (error) {
      await tunnels.undo();
      if (!(error instanceof RouterRefusedError || error instanceof ProcessError)) throw error;
      isInSync = wasInSync;
      throw error instanceof RouterRefusedError
        ? error
        : new RouterRefusedError("The router could not set up the tunnel.", {
            cause: error,
          });
    }
    running = desiredSet;
    await tunnels.finish();
    isInSync = true;
    kick.watch(restarted);
  }

  /** Returns sentences that name no participant; the log contains the names. */
  async function findDrift(): Promise<readonly string[]> {
    // An incoming change must not wait; the next check finds the same drift.
    if (kick.isBusy()) return [];
    const isBirdConfirmed = await generations.isConfirmed();
    // This call comes last: it forgets the drift that it returns, so nothing may fail after it.
    const driftedTunnels = await tunnels.findDrifted();
    if (driftedTunnels.length === 0 && (isBirdConfirmed || !isInSync)) return [];
    log.warn(
      { interfaces: driftedTunnels, isBirdConfirmed },
      "the router drifted from the applied configuration",
    );
    isInSync = false;
    return [
      ...(driftedTunnels.length === 0
        ? []
        : [`Tunnels that are missing or were changed: ${driftedTunnels.length}.`]),
      ...(isBirdConfirmed ? [] : ["BIRD does not run the confirmed configuration."]),
    ];
  }

  async function dump(): Promise<ReadonlyMap<string, readonly TunnelPeer[]>> {
    const states = parseDump(await runOk(run, "wg", ["show", "all", "dump"]));
    return new Map(Array.from(states, ([name, { peers }]) => [name, peers]));
  }

  const latency = monitorLatency({
    run,
    peerings: async () => {
      if (running.size === 0) return [];
      const peers = await dump();
      return Array.from(running.values()).filter(({ peering }) =>
        isUp(peers.get(interfaceName(peering.asn))?.[0]),
      );
    },
    waitForIdle: () => settingDone,
    clock,
    log,
  });

  const sessionsFor = (asn: string) => {
    const routed = running.get(asn);
    if (!routed) throw new Error(`no peering with AS${asn}`);
    return sessionsOf(routed.peering);
  };

  return {
    facts: async () => ({ publicKey: key.publicKey, simulation: false }),
    set: (desired, report) => {
      const done = withRouterErrors(() => set(desired, report));
      settingDone = done.catch(() => {});
      return done;
    },
    findDrift: () => withRouterErrors(findDrift),
    observe: () =>
      withRouterErrors(async () => {
        const names = () =>
          new Set(Array.from(running.values()).flatMap((routed) => render(routed).protocols));
        const [peers, sessions] = await Promise.all([dump(), queries.observe(names)]);
        const known = new Map(sessions.map((session) => [session.name, session]));
        return Array.from(running.values()).flatMap((routed) => {
          const { asn } = routed.peering;
          const found = peers.get(interfaceName(asn));
          if (!found) return [];
          const [peer] = found;
          return {
            asn,
            rxBytes: peer?.rxBytes ?? 0,
            txBytes: peer?.txBytes ?? 0,
            handshakeAgeSeconds: handshakeAge(peer),
            latencyMs: latency.of(asn),
            sessions: render(routed).protocols.flatMap((name) => known.get(name) ?? []),
          };
        });
      }),
    health: () => withRouterErrors(() => readNodeHealth(bird)),
    usage: () => withRouterErrors(usage),
    links: () =>
      withRouterErrors(async (): Promise<readonly Connection[]> => {
        const tunnelsByNode = Object.entries(options.tunnels);
        if (tunnelsByNode.length === 0) return [];
        const peers = await dump();
        return tunnelsByNode.map(([to, name]) => ({
          from: node,
          to,
          status: peers.get(name)?.some(isUp) === true ? "up" : "down",
        }));
      }),
    details: (asn) =>
      withRouterErrors(async () => {
        const sessions = sessionsFor(asn);
        const [shown, bgp] = await Promise.all([
          run("wg", ["show", interfaceName(asn)], { outputLimitBytes: textLimitBytes }),
          queries.details(sessions),
        ]);
        return {
          wireguard: shown.stdout + shown.stderr + (shown.isTruncated ? `\n${truncatedMark})\n` : ""),
          bgp,
        };
      }),
    sessions: (asn) => withRouterErrors(() => queries.sessions(sessionsFor(asn))),
    restartBgp: (asn) => withRouterErrors(() => queries.restart(sessionsFor(asn))),
    receivedRoutes: (asn) => withRouterErrors(() => queries.received(sessionsFor(asn))),
    refusedRoutes: (asn) => withRouterErrors(() => queries.refused(sessionsFor(asn))),
    advertisedRoutes: (asn) => withRouterErrors(() => queries.advertised(sessionsFor(asn))),
    ping: (asn, address, signal) => withRouterErrors(() => pingThrough(run, asn, address, signal)),
    [Symbol.asyncDispose]: async () => {
      await settingDone;
      await kick[Symbol.asyncDispose]();
      await latency[Symbol.asyncDispose]();
    },
  };
}

/** Converts errors of BIRD and of commands into `RouterUnavailableError`. */
async function withRouterErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof BirdUnavailableError || error instanceof ProcessError)) throw error;
    throw new RouterUnavailableError(error.message, { cause: error });
  }
}

/** Caches a computed value for as long as its key object exists. */
function memoizeByObject<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, V>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
}
