/**
 * One check of what keeps the node from forwarding packets, as far as the kernel says so without a packet.
 *
 * Its cost does not grow with the number of peerings: two processes, and at most `maxTunnels` tunnels are asked for their routes.
 */
import { networkInterfaces } from "node:os";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { withoutLength } from "#domain/prefix.ts";
import type { Run } from "#system/processes.ts";
import { droppingChainsOf, type DroppingChain } from "../firewall/dropping-chains.ts";
import { readLegacyChains } from "../firewall/legacy-chains.ts";
import { readRuleset } from "../firewall/ruleset.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import { askKernel } from "../ask-routes.ts";
import { findBlockedPackets } from "./blocked-packets.ts";
import { type ForwardingFault, maxNamed, ofNode } from "./forwarding-fault.ts";
import { judgeSettings } from "./interface-settings.ts";
import {
  byFamily,
  createRouteChecks,
  type TunnelEnd,
  tunnelEndOf,
  withoutConsequences,
} from "./route-checks.ts";
import { findFullTables } from "./table-limits.ts";

export interface ForwardingCheckOptions {
  readonly run: Run;
  /** The node's addresses on the loopback interface, with lengths. */
  readonly addresses: readonly string[];
  /** The provider's own tunnels. */
  readonly ownTunnels: readonly string[];
  /** Those and its other interfaces, through which participants' packets pass. */
  readonly ownInterfaces: readonly string[];
  /** The AS numbers whose tunnels do not run, or not completely. */
  readonly leftOut: () => ReadonlyMap<string, unknown>;
  /** Replaced by tests. */
  readonly proc?: string;
  readonly interfaces?: typeof networkInterfaces;
}

export interface ForwardingState {
  readonly faults: readonly ForwardingFault[];
  /** Other programs' chains that drop by default. */
  readonly chains: readonly DroppingChain[];
}

export interface ForwardingCheck {
  /** Rejects with `ProcessError` if the kernel cannot be asked. */
  readonly run: (running: RoutedSet) => Promise<ForwardingState>;
}

/** Each is asked about five times. */
const maxTunnels = 100;
/** Tunnels with a fault are asked each time, but leave room for others. */
const maxFaulty = 50;

export function createForwardingCheck(options: ForwardingCheckOptions): ForwardingCheck {
  const { run, ownTunnels, ownInterfaces, leftOut, proc = "/proc" } = options;
  const interfaces = options.interfaces ?? networkInterfaces;
  const nodeAddresses = options.addresses.map(withoutLength);
  /** What the last question about a tunnel found, by interface, the longest ago first. */
  let asked: ReadonlyMap<string, readonly ForwardingFault[]> = new Map();

  /** Returns which tunnels are asked now: those with a fault, then those that were not asked for the longest time. */
  function takeTurn(ends: readonly TunnelEnd[]): readonly TunnelEnd[] {
    const faulty = ends.filter((end) => (asked.get(end.interfaceName)?.length ?? 0) > 0).slice(0, maxFaulty);
    const turns = new Map(Array.from(asked.keys(), (name, turn) => [name, turn]));
    const turnOf = ({ interfaceName: name }: TunnelEnd) => turns.get(name) ?? -1;
    const others = ends.filter((end) => !faulty.includes(end)).toSorted((a, b) => turnOf(a) - turnOf(b));
    return [...faulty, ...others].slice(0, maxTunnels);
  }

  async function checkKernel(running: RoutedSet): Promise<readonly ForwardingFault[]> {
    const present = interfaces();
    const ofLoopback = new Set(present["lo"]?.map(({ address }) => address));
    // Disabled IPv6 is reported as such, and the peerings that need it.
    const hasIpv6 = (await readSetting("ipv6/conf/lo/disable_ipv6")) === "0";
    const missing = nodeAddresses.filter(
      (address) => !ofLoopback.has(address) && (hasIpv6 || !address.includes(":")),
    );
    const isReady = ({ peering: { asn } }: { readonly peering: { readonly asn: string } }) =>
      !leftOut().has(asn) && present[interfaceName(asn)] !== undefined;
    const ends = [
      ...ownTunnels.map((name) => ({ interfaceName: name, asn: null, far: {} })),
      ...Array.from(running.values()).filter(isReady).map(tunnelEndOf),
    ];
    const taken = new Set(takeTurn(ends));
    const turn = ends.filter((end) => taken.has(end));
    const checksOf = createRouteChecks(
      turn,
      byFamily(nodeAddresses.filter((address) => ofLoopback.has(address))),
    );
    const checks = turn.flatMap((end) =>
      checksOf(end).map(({ question, judge }) => ({ end, question, judge })),
    );
    const { routes, settings } = await askKernel(
      run,
      checks.map(({ question }) => question),
    );
    const participants = new Map(Array.from(running.keys(), (asn) => [interfaceName(asn), asn]));
    const isIpv6Forced = (await readSetting("ipv6/conf/all/force_forwarding")) === "1";
    const ofSettings = judgeSettings(settings, { participants, own: ownInterfaces, isIpv6Forced });
    const answers = checks.flatMap(({ end, judge }, index) => {
      const fault = judge(routes[index] ?? { kind: "unknown" });
      return fault ? [{ name: end.interfaceName, fault }] : [];
    });
    const found = Map.groupBy(withoutConsequences(answers), ({ name }) => name);
    const names = new Set(ends.map((end) => end.interfaceName));
    const now = new Map(
      turn.map(({ interfaceName: name }) => [name, (found.get(name) ?? []).map(({ fault }) => fault)]),
    );
    asked = new Map([...Array.from(asked).filter(([name]) => names.has(name) && !now.has(name)), ...now]);
    // A wrong setting explains what the kernel refuses.
    return [
      ...(missing.length === 0
        ? []
        : [ofNode({ code: "node-addresses-missing", facts: { addresses: missing.slice(0, maxNamed) } })]),
      ...ofSettings,
      ...limit(
        [...asked.values()]
          .flat()
          .filter(({ finding: { code } }) => ofSettings.length === 0 || code !== "forwarding-refused"),
      ),
    ];
  }

  const readSetting = (path: string) =>
    readFile(join(proc, "sys/net", path), "utf8").then(
      (text) => text.trim(),
      () => null,
    );

  async function checkChains(running: RoutedSet): Promise<ForwardingState> {
    const chains = [...((await readRuleset(run)) ?? []), ...(await readLegacyChains(run, proc))];
    return {
      faults: findBlockedPackets(chains, { running, ownTunnels, nodeAddresses }),
      chains: droppingChainsOf(chains),
    };
  }

  return {
    run: async (running) => {
      const ofKernel = await checkKernel(running);
      const ofChains = await checkChains(running);
      const ofTables = await findFullTables(proc);
      return { faults: [...ofKernel, ...ofChains.faults, ...ofTables], chains: ofChains.chains };
    },
  };
}

/** Merges equal findings, and names the first ones: many faults of routes have one cause. */
function limit(faults: readonly ForwardingFault[]): readonly ForwardingFault[] {
  const equal = Map.groupBy(faults, ({ finding }) => JSON.stringify(finding));
  const merged = Array.from(equal.values()).flatMap(([first, ...others]): ForwardingFault[] =>
    first ? [{ finding: first.finding, concerns: unite([first, ...others]) }] : [],
  );
  const rest = merged.slice(maxNamed);
  const last = merged[maxNamed - 1];
  if (!last || rest.length === 0) return merged;
  return [...merged.slice(0, maxNamed - 1), { ...last, concerns: unite([last, ...rest]) }];
}

function unite(faults: readonly ForwardingFault[]): ForwardingFault["concerns"] {
  if (faults.some(({ concerns }) => concerns === "all")) return "all";
  return new Set(
    faults.flatMap(({ concerns }) => (typeof concerns === "string" ? [] : Array.from(concerns))),
  );
}
