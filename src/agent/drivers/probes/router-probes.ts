/** The probes of a router: which targets it has now, and what the results say of its peerings and links. */
import { networkInterfaces } from "node:os";
import type { NodeLink } from "#contract/agent.ts";
import type { OtherNode } from "#contract/call-tables/other-node-calls.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { withoutLength } from "#domain/prefix.ts";
import type { Run } from "#system/processes.ts";
import type { Clock } from "../../clock.ts";
import type { OwnTunnel } from "../../config/agent-config.ts";
import type { Log } from "../../log.ts";
import { toOutput } from "../../router-output.ts";
import { memoizeByObject } from "../memoize-by-object.ts";
import type { NetworkProbe, PeeringProbes, ProbeResult } from "../probe-results.ts";
import type { RoutedPeering } from "../router.ts";
import { isUp } from "../wireguard/parse-dump.ts";
import type { WireguardReader } from "../wireguard/read-interfaces.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import { monitorProbes, type ProbeMonitor } from "./probe-monitor.ts";
import {
  candidatesOfLink,
  networkTargetOf,
  type ProbeTarget,
  targetOfLink,
  targetsOfPeering,
} from "./probe-target.ts";
import { findLinkFaults, type LinkProbes, readLinks } from "./read-links.ts";

export interface RouterProbes extends AsyncDisposable, Pick<ProbeMonitor, "interrupt"> {
  readonly probesOf: (routed: RoutedPeering) => PeeringProbes;
  readonly links: () => Promise<readonly NodeLink[]>;
  /** What is wrong with the links, and with the probes themselves. */
  readonly findings: () => Promise<readonly Finding[]>;
  readonly setOtherNodes: (nodes: readonly OtherNode[]) => void;
}

export interface RouterProbesOptions {
  readonly node: string;
  /** The node's own addresses on the loopback interface, with lengths. */
  readonly addresses: readonly string[];
  /** The provider's own tunnels, by the node at their other end. */
  readonly tunnels: Readonly<Record<string, OwnTunnel>>;
  readonly wireguard: WireguardReader;
  readonly running: () => RoutedSet;
  readonly waitForIdle: () => Promise<void>;
  readonly run: Run;
  readonly clock: Clock;
  readonly log: Log;
}

export function openRouterProbes(options: RouterProbesOptions): RouterProbes {
  const { node, tunnels, wireguard, running, waitForIdle, run, clock, log } = options;
  /** The node's addresses in the network. */
  const sources = options.addresses.map(withoutLength);
  let others: ReadonlyMap<string, OtherNode> = new Map();
  /** The AS numbers with tunnels to other nodes. */
  let elsewhere: ReadonlySet<string> = new Set();

  const createTargetsOf = () =>
    memoizeByObject(({ peering }: RoutedPeering) =>
      targetsOfPeering(peering, sources, elsewhere.has(peering.asn)),
    );
  let targetsOf = createTargetsOf();
  const targetsOfLinks = () =>
    Object.entries(tunnels).flatMap(([to, tunnel]) =>
      targetOfLink(tunnel).concat(candidatesOfLink(tunnel, others.get(to), sources)),
    );

  async function targetsOfPeerings(): Promise<readonly ProbeTarget[]> {
    if (running().size === 0) return [];
    const states = await wireguard.read(Array.from(running().keys(), interfaceName));
    const ofThoseUp = (routed: RoutedPeering) =>
      isUp(states.get(interfaceName(routed.peering.asn))?.peers[0]) ? targetsOf(routed) : [];
    return Array.from(running().values()).flatMap(ofThoseUp);
  }

  const monitor = monitorProbes({
    targets: async () => {
      const own = ownAddresses();
      const all = [...targetsOfLinks(), ...(await targetsOfPeerings())];
      return all.filter(({ source }) => source === null || own.has(source));
    },
    waitForIdle,
    run,
    clock,
    log,
  });

  const resultsOf = (targets: readonly ProbeTarget[]): readonly ProbeResult[] =>
    targets.flatMap((target) => monitor.resultOf(target) ?? []);

  function linkProbesOf(to: string, tunnel: OwnTunnel): LinkProbes {
    const ofNode = candidatesOfLink(tunnel, others.get(to), sources).filter(monitor.isRouted);
    const firstOfFamily = Array.from(Map.groupBy(ofNode, ({ family }) => family).values()).flatMap(
      ([first]) => first ?? [],
    );
    return { end: resultsOf(targetOfLink(tunnel))[0], ways: resultsOf(firstOfFamily) };
  }

  const readOwnLinks = () => readLinks({ node, tunnels, wireguard, run, probesOf: linkProbesOf });

  return {
    interrupt: monitor.interrupt,
    probesOf: (routed) => {
      const targets = targetsOf(routed);
      const ofKind = (kind: ProbeTarget["kind"]) => resultsOf(targets.filter((one) => one.kind === kind));
      return {
        tunnel: ofKind("tunnel"),
        way: ofKind("way"),
        network: networkProbeOf(networkTargetOf(routed.peering, sources)[0], monitor),
      };
    },
    links: async () => (await readOwnLinks()).map(({ link }) => link),
    findings: async () => {
      const problem = monitor.problem();
      const ofProbes: readonly Finding[] =
        problem === null ? [] : [{ code: "probes-unavailable", facts: { output: toOutput(problem) } }];
      return [...ofProbes, ...findLinkFaults(await readOwnLinks(), tunnels)];
    },
    setOtherNodes: (nodes) => {
      others = new Map(nodes.map((other) => [other.node, other]));
      targetsOf = createTargetsOf();
      elsewhere = new Set(nodes.flatMap((other) => other.tunnels.map(({ asn }) => asn)));
    },
    [Symbol.asyncDispose]: () => monitor[Symbol.asyncDispose](),
  };
}

/** Without its source, fping sends nothing at all. That an address is missing is what the check for drift says. */
function ownAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => address));
}

/** Null before the first probe, and without an address to probe. */
function networkProbeOf(target: ProbeTarget | undefined, monitor: ProbeMonitor): NetworkProbe | null {
  const isRouted = target ? monitor.isRouted(target) : null;
  if (!target || isRouted === null) return null;
  return { target: target.address, result: isRouted ? monitor.resultOf(target) : null };
}
