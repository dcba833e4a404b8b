/**
 * A real router: WireGuard by `ip` and `wg`, BIRD by its control socket.
 *
 * Invariants: `set` is all or nothing over both. Tunnels are added and edited after BIRD's files are
 * written and before BIRD reads them, so that a session finds its interface; they are removed after BIRD
 * confirmed, so that what is taken back had never lost its handshake. `running` changes in one step, when
 * both are done.
 */
import { join } from "node:path";
import type { Connection } from "../../../contract/entities.ts";
import { interfaceName, sessionsOf } from "../../../domain/bgp-sessions.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { ProcessFailed, type Run, runOk } from "../../processes.ts";
import { BirdUnavailable, createBirdControl } from "../bird/control-socket.ts";
import { createGenerations } from "../bird/generations.ts";
import { parseProtocols } from "../bird/parse-protocols.ts";
import { createBirdQueries } from "../bird/queries.ts";
import { renderBirdPeering } from "../bird/render.ts";
import { type Report, type RoutedPeering, type Router, RouterRefused, RouterUnavailable } from "../router.ts";
import { handshakeAge, isUp } from "../wireguard/handshake-age.ts";
import { createHandshakeKick } from "../wireguard/handshake-kick.ts";
import { openInterfaceCommands } from "../wireguard/interface-commands.ts";
import { openNodeKey } from "../wireguard/node-key.ts";
import { openOwnedInterfaces } from "../wireguard/owned-interfaces.ts";
import { parseDump, type TunnelPeer } from "../wireguard/parse-dump.ts";
import { createTunnels, type RoutedSet } from "../wireguard/tunnels.ts";
import { hostHealth } from "./host-health.ts";
import { createUsage } from "./host-usage.ts";
import { measureLatency } from "./latency.ts";
import { pingThrough } from "./ping.ts";

export interface LinuxRouterOptions {
  readonly node: string;
  /** The provider's AS number. */
  readonly providerAsn: string;
  /** Where the node's key and the list of its own interfaces are kept. */
  readonly stateDir: string;
  /** The folder whose `current/*.conf` bird.conf includes; nobody else writes there. */
  readonly birdDir: string;
  /** BIRD's control socket. */
  readonly birdSocket: string;
  /** The provider's own tunnels: WireGuard interfaces by the node that they lead to. */
  readonly tunnels: Readonly<Record<string, string>>;
  readonly run: Run;
  readonly clock: Clock;
  readonly log: Log;
}

const textLimitBytes = 1024 * 1024 - 64;

/** Opens the node's key, or makes it; touches neither WireGuard nor BIRD before the first `set`. */
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
  const usage = createUsage(bird);
  let running: RoutedSet = new Map();
  /** Whether files and router are known to be what `running` says. */
  let certain = false;
  let setting: Promise<void> = Promise.resolve();

  const render = rememberedBy((routed: RoutedPeering) => ({
    text: renderBirdPeering(routed, { providerAsn }),
    protocols: sessionsOf(routed.peering).map(({ name }) => name),
  }));

  async function set(desired: readonly RoutedPeering[], report: Report): Promise<void> {
    const wanted: RoutedSet = new Map(desired.map((routed) => [routed.peering.asn, routed]));
    const rendered = desired.map((routed) => ({
      name: interfaceName(routed.peering.asn),
      ...render(routed),
    }));
    const files = new Map(rendered.map(({ name, text }) => [`${name}.conf`, text]));
    if (!certain) await generations.recover();
    const birdChanges = !generations.runs(files);
    if (certain && !birdChanges && tunnels.runs(wanted)) return;
    await kick.stop();
    let restarted: readonly RoutedPeering[] = [];
    const prepare = async () => {
      restarted = await tunnels.prepare(wanted);
    };
    const wasCertain = certain;
    certain = false;
    try {
      if (birdChanges) {
        await generations.apply({ files, beforeSwap: prepare, report });
      } else {
        await prepare();
      }
    } catch (error) {
      await tunnels.undo();
      if (!(error instanceof RouterRefused || error instanceof ProcessFailed)) throw error;
      certain = wasCertain;
      throw error instanceof RouterRefused
        ? error
        : new RouterRefused("The router could not set up the tunnel.", {
            cause: error,
          });
    }
    running = wanted;
    await tunnels.finish();
    certain = true;
    kick.watch(restarted);
  }

  /** In sentences that name no participant; the log has the names. */
  async function differences(): Promise<readonly string[]> {
    // A change that comes meanwhile shall not wait; the next look sees as much.
    if (kick.busy()) return [];
    const stands = await generations.stands();
    // Last: it forgets what it tells, so nothing may fail after it.
    const strayed = await tunnels.strayed();
    if (strayed.length === 0 && (stands || !certain)) return [];
    log.warn({ interfaces: strayed, birdStands: stands }, "the router does not run what was confirmed");
    certain = false;
    return [
      ...(strayed.length === 0 ? [] : [`Tunnels that are gone or were changed: ${strayed.length}.`]),
      ...(stands ? [] : ["BIRD runs another configuration than the one it confirmed."]),
    ];
  }

  async function dump(): Promise<ReadonlyMap<string, readonly TunnelPeer[]>> {
    const states = parseDump(await runOk(run, "wg", ["show", "all", "dump"]));
    return new Map(Array.from(states, ([name, { peers }]) => [name, peers]));
  }

  const latency = measureLatency({
    run,
    peerings: async () => {
      if (running.size === 0) return [];
      const peers = await dump();
      return Array.from(running.values()).filter(({ peering }) =>
        isUp(peers.get(interfaceName(peering.asn))?.[0]),
      );
    },
    quiet: () => setting,
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
      const work = available(() => set(desired, report));
      setting = work.catch(() => {});
      return work;
    },
    differences: () => available(differences),
    observe: () =>
      available(async () => {
        const [peers, reply] = await Promise.all([dump(), bird("show protocols")]);
        const known = new Map(parseProtocols(reply).map((session) => [session.name, session]));
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
    health: () => available(() => hostHealth(bird)),
    usage: () => available(usage),
    links: () =>
      available(async (): Promise<readonly Connection[]> => {
        const wanted = Object.entries(options.tunnels);
        if (wanted.length === 0) return [];
        const peers = await dump();
        return wanted.map(([to, name]) => ({
          from: node,
          to,
          status: peers.get(name)?.some(isUp) === true ? "up" : "down",
        }));
      }),
    details: (asn) =>
      available(async () => {
        const sessions = sessionsFor(asn);
        const [shown, bgp] = await Promise.all([
          run("wg", ["show", interfaceName(asn)], { outputLimitBytes: textLimitBytes }),
          queries.details(sessions),
        ]);
        return { wireguard: shown.stdout + shown.stderr + (shown.cut ? "\n(cut here)\n" : ""), bgp };
      }),
    sessions: (asn) => available(() => queries.sessions(sessionsFor(asn))),
    restartBgp: (asn) => available(() => queries.restart(sessionsFor(asn))),
    receivedRoutes: (asn) => available(() => queries.received(sessionsFor(asn))),
    refusedRoutes: (asn) => available(() => queries.refused(sessionsFor(asn))),
    advertisedRoutes: (asn) => available(() => queries.advertised(sessionsFor(asn))),
    ping: (asn, address, signal) => available(() => pingThrough(run, asn, address, signal)),
    [Symbol.asyncDispose]: async () => {
      await setting;
      await kick[Symbol.asyncDispose]();
      await latency[Symbol.asyncDispose]();
    },
  };
}

/** Says in the seam's terms that BIRD or a command cannot be talked to. */
async function available<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof BirdUnavailable || error instanceof ProcessFailed)) throw error;
    throw new RouterUnavailable(error.message, { cause: error });
  }
}

/** Remembers what follows from an object as long as the object lives. */
function rememberedBy<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const remembered = new WeakMap<K, V>();
  return (key) => {
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    remembered.set(key, value);
    return value;
  };
}
