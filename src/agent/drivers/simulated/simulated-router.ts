/**
 * A router in memory for the demo and for tests. It stores only the peerings it was given and when.
 * Everything it shows is computed from these and the clock, so it needs no timers and reading costs nothing.
 *
 * Invariant: the peerings are replaced in one step, after the last pause of a set. A set that is refused or
 * interrupted before leaves them unchanged.
 */
import type { Peering } from "#contract/agent.ts";
import { type Family, interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { Clock } from "../../clock.ts";
import { isSamePeering, nodeSidesOf } from "../routed-peering.ts";
import type { NodeKeys } from "../node-keys.ts";
import { createRefusedFacts } from "../refused-facts.ts";
import {
  type RoutedPeering,
  type Router,
  RouterRefusedError,
  RouterUnavailableError,
  type SetReport,
} from "../router.ts";
import { birdcBanner, birdcProtocols, onLink } from "./birdc-protocols.ts";
import { birdcAdvertised, birdcReceived, refusedRoutes } from "./birdc-routes.ts";
import { healthAt, usageAt } from "./host.ts";
import { linksOf } from "./links.ts";
import { pingText } from "./ping-text.ts";
import { createSimulatedRoutes, type RegisteredRoute } from "./routes.ts";
import { createSimulatedKeys } from "./simulated-keys.ts";
import {
  inventRoundTrip,
  probesOf,
  repliesToPings,
  roundTripMs,
  type SimulatedPeer,
  tunnelAt,
} from "./simulated-peer.ts";
import { type PeerRoutes, sessionsAt } from "./simulated-sessions.ts";
import { faultOf } from "./faults.ts";
import { wgShow } from "./wg-show.ts";

/**
 * `offline`: every call is rejected at once. `silent`: `createSimulatedAgent` returns no response; the router itself still
 * responds. `refuse`: BIRD refuses every
 * change. `slow`: changes take 25 times as long.
 */
export const simulationModes = ["normal", "offline", "silent", "refuse", "slow"] as const;
export type SimulationMode = (typeof simulationModes)[number];

export interface SimulatedRouterOptions {
  readonly node: string;
  /** The provider's AS number. */
  readonly providerAsn: string;
  /** Names of all the provider's nodes, between which links are shown. */
  readonly nodes: readonly string[];
  readonly clock: Clock;
  /** The length of a simulated second in seconds of the clock: 1 is realistic, 0 never waits. */
  readonly timeScale: number;
  /** Whether another node is running; links to one that is not are down. */
  readonly reachable?: (node: string) => boolean;
  /** The round trip of the link to another node in milliseconds; invented by default. */
  readonly linkRoundTripMs?: (node: string) => number;
  /** The round trip to a participant's endpoint in milliseconds; invented by default. */
  readonly endpointRoundTripMs?: (endpoint: string) => number;
  /** All routes of the simulated network. Without them, routes are generated. */
  readonly registered?: readonly RegisteredRoute[];
  /** Without it, added keys are forgotten when the process ends. */
  readonly keys?: NodeKeys;
  /** The participants from which the provider has the routes, by AS number, with the names of their nodes. Unknown by default. */
  readonly neighbours?: ReadonlyMap<string, readonly string[]>;
}

export interface SimulatedRouter extends Router {
  readonly mode: () => SimulationMode;
  readonly setMode: (mode: SimulationMode) => void;
}

const slowFactor = 25;
const pingCount = 4;

export function createSimulatedRouter(options: SimulatedRouterOptions): SimulatedRouter {
  const { node, nodes, neighbours, providerAsn, clock, timeScale, reachable = () => true } = options;
  const { keys = createSimulatedKeys(node) } = options;
  const openedAt = clock.now();
  const routes = createSimulatedRoutes(options);
  const { endpointRoundTripMs = (endpoint: string) => inventRoundTrip(node, endpoint) } = options;
  let peers: ReadonlyMap<string, SimulatedPeer> = new Map();
  let mode: SimulationMode = "normal";

  /** Wraps a call so that it rejects while the node is offline. */
  function online<Args extends readonly unknown[], T>(call: (...args: Args) => T | Promise<T>) {
    return async (...args: Args): Promise<T> => {
      assertOnline();
      return call(...args);
    };
  }

  function assertOnline(): void {
    if (mode === "offline") throw new RouterUnavailableError("This node is offline.");
  }

  async function pause(ms: number): Promise<void> {
    await clock.sleep(ms * timeScale * (mode === "slow" ? slowFactor : 1));
    assertOnline();
  }

  function peerOf(asn: string): SimulatedPeer {
    const peer = peers.get(asn);
    if (!peer) throw new Error(`no peering with AS${asn}`);
    return peer;
  }

  const tableAt = (now: number) => ({
    now,
    peerings: Array.from(peers.values(), ({ routed }) => routed.peering).filter(hasSessions),
  });

  function routesOf({ routed: { peering } }: SimulatedPeer, now: number): PeerRoutes {
    return {
      received: (family) => routes.received(peering, family),
      advertised: (family) => routes.advertised(peering, family, tableAt(now)),
    };
  }

  /** A peering with everything that follows from it now. */
  function viewOf(asn: string) {
    const now = clock.now();
    const peer = peerOf(asn);
    const own = routesOf(peer, now);
    return { now, peer, peering: peer.routed.peering, routes: own, sessions: sessionsAt(peer, own, now) };
  }

  async function set(desired: readonly RoutedPeering[], report: SetReport) {
    const changed = changedAsns(peers, desired);
    const [first] = changed;
    if (first === undefined) return;
    await pause(250);
    report.step({ code: "files-written", facts: {} });
    await pause(250);
    const refused = desired.find(({ peering }) => faultOf(peering) === "refused by BIRD");
    if (mode === "refuse" || refused) throw refusalByBird(refused?.peering.asn ?? first);
    report.step({ code: "bird-loaded", facts: {} });
    report.completed("sessions");
    await pause(100);
    report.completed("tunnels");
    const now = clock.now();
    peers = new Map(
      desired.map((routed) => {
        const { asn } = routed.peering;
        const since = { tunnelSince: now, bgpSince: now };
        return [asn, nextPeer(peers.get(asn), { node, routed, ...since, timeScale, endpointRoundTripMs })];
      }),
    );
    report.step({ code: "confirmed", facts: {} });
    report.completed("removed tunnels");
  }

  return {
    mode: () => mode,
    setMode: (next) => {
      mode = next;
    },
    ...keys,
    facts: async () => ({ publicKey: keys.nodeKeys()[0], simulation: true }),
    set: online(set),
    findDrift: online(() => []),
    observe: online(() => {
      const now = clock.now();
      return Array.from(peers.values(), (peer) => ({
        asn: peer.routed.peering.asn,
        ...tunnelAt(peer, now),
        probes: probesOf(peer, now),
        sessions: sessionsAt(peer, routesOf(peer, now), now),
      }));
    }),
    health: online(() => healthAt(node, openedAt, clock.now(), mode === "slow")),
    usage: online(() => {
      const now = clock.now();
      const count = (family: Family) => routes.table(family, tableAt(now)).length;
      return {
        ...usageAt(node, now, mode === "slow"),
        routes: { ipv4: count("IPv4"), ipv6: count("IPv6") },
      };
    }),
    exposure: online(() => ({
      addresses: [...nodeSidesOf(Array.from(peers.values(), ({ routed }) => routed))],
      services: [],
    })),
    // A simulated node forwards no packets.
    setOtherNodes: async () => {},
    inUse: online(() => ({ ports: [], addresses: [] })),
    links: online(() => linksOf(node, nodes, clock.now(), reachable, options.linkRoundTripMs)),
    roundTrip: online((address) => {
      const isSilent = Array.from(peers.values()).some(
        (peer) => peer.routed.endpointAddress === address && !repliesToPings(peer),
      );
      return isSilent ? null : endpointRoundTripMs(address);
    }),
    details: online((asn) => {
      const { now, peer, peering, sessions } = viewOf(asn);
      return {
        wireguard: wgShow(peering.nodeKey ?? keys.nodeKeys()[0], peer.routed, tunnelAt(peer, now)),
        bgp: birdcProtocols(sessions, { peering, providerAsn, now }),
      };
    }),
    sessions: online((asn) => viewOf(asn).sessions),
    restartBgp: online((asn) => {
      const { peer, sessions } = viewOf(asn);
      if (mode === "refuse") return { ok: false, output: `${birdcBanner}\nAccess denied\n` };
      peers = new Map(peers).set(asn, { ...peer, bgpSince: clock.now() });
      return {
        ok: true,
        output: `${[birdcBanner, ...sessions.map(({ name }) => `${name}: restarted`)].join("\n")}\n`,
      };
    }),
    receivedRoutes: online((asn) => {
      const { now, peering, routes: own, sessions } = viewOf(asn);
      return birdcReceived(own, sessions, { peering, providerAsn, now });
    }),
    refusedRoutes: online((asn) => {
      const { routes: own, sessions } = viewOf(asn);
      return createRefusedFacts(refusedRoutes(own, sessions), sessions);
    }),
    advertisedRoutes: online((asn) => {
      const { now, routes: own, sessions } = viewOf(asn);
      const known = { node, nodes, neighbours, peers: new Set(peers.keys()) };
      return birdcAdvertised(own, sessions, { ...known, openedAt, now });
    }),
    ping: online(async (asn, address, signal) => {
      const peer = peerOf(asn);
      const probes: Array<number | null> = [];
      while (probes.length < pingCount && !signal.aborted) {
        if (probes.length > 0) await clock.sleep(1000 * timeScale, signal);
        assertOnline();
        probes.push(roundTripMs(peer, clock.now(), clock.now() + probes.length));
      }
      const success = probes.some((ms) => ms !== null);
      return {
        result: success ? "success" : "failed",
        output: pingText({ target: onLink(address, asn), probes }),
      };
    }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Whether the sessions of a peering come up. */
function hasSessions(peering: Peering): boolean {
  const fault = faultOf(peering);
  return fault !== "no handshake" && fault !== "no BGP daemon";
}

function changedAsns(peers: ReadonlyMap<string, SimulatedPeer>, desired: readonly RoutedPeering[]): string[] {
  const desiredAsns = new Set(desired.map(({ peering }) => peering.asn));
  return [
    ...desired
      .filter((routed) => !isUnchanged(peers.get(routed.peering.asn)?.routed, routed))
      .map(({ peering }) => peering.asn),
    ...Array.from(peers.keys()).filter((asn) => !desiredAsns.has(asn)),
  ];
}

function isUnchanged(a: RoutedPeering | undefined, b: RoutedPeering): boolean {
  return a?.endpointAddress === b.endpointAddress && isSamePeering(a.peering, b.peering);
}

/** Keeps the age of unchanged parts: a tunnel keeps its handshake, sessions keep their uptime. */
function nextPeer(before: SimulatedPeer | undefined, fresh: SimulatedPeer): SimulatedPeer {
  if (!before) return fresh;
  const [old, next] = [before.routed, fresh.routed];
  const tunnelStays =
    old.endpointAddress === next.endpointAddress &&
    old.peering.endpointPort === next.peering.endpointPort &&
    old.peering.publicKey === next.peering.publicKey &&
    old.peering.nodeKey === next.peering.nodeKey &&
    old.peering.listenPort === next.peering.listenPort;
  const bgpKeys = [
    "addressFamily",
    "extendedNextHop",
    "peerIpv4",
    "peerIpv6",
    "localIpv4",
    "localIpv6",
  ] as const;
  const bgpStays = bgpKeys.every((key) => old.peering[key] === next.peering[key]);
  return {
    ...fresh,
    tunnelSince: tunnelStays ? before.tunnelSince : fresh.tunnelSince,
    bgpSince: bgpStays ? before.bgpSince : fresh.bgpSince,
  };
}

function refusalByBird(asn: string): RouterRefusedError {
  const file = `/etc/bird/peers/${interfaceName(asn)}.conf`;
  const detail = `${file}:14:19 syntax error, unexpected CF_SYM_UNDEFINED, expecting ';'`;
  return new RouterRefusedError({ code: "bird-refused", facts: {} }, { detail });
}
