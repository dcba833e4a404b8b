/**
 * The participants' tunnels of a node.
 *
 * Invariants: only interfaces on the list of owned ones are touched. A change has two halves, so that the
 * first can be taken back: `prepare` adds and edits, `finish` removes; between them either `finish` or
 * `undo` is called. What runs is known from memory; where it is not (the first change of this life, after a
 * failure, a tunnel that was found changed), it is read from the kernel once, with a fixed number of commands.
 */
import { interfaceName } from "../../../domain/bgp-sessions.ts";
import { type Run, runOk } from "../../processes.ts";
import { samePeering } from "../../reconcile/held-peering.ts";
import { type RoutedPeering, RouterRefused } from "../router.ts";
import { type Link, parseLinks, tunnelAddresses } from "./addresses.ts";
import type { AddressChange, InterfaceCommands } from "./interface-commands.ts";
import type { NodeKey } from "./node-key.ts";
import type { OwnedInterfaces } from "./owned-interfaces.ts";
import { parseDump, type TunnelState } from "./parse-dump.ts";
import { renderState, renderWireguard } from "./render.ts";

export type RoutedSet = ReadonlyMap<string, RoutedPeering>;

export interface Tunnels {
  /** Adds and edits tunnels until all of `wanted` run. Gives those whose handshake starts anew. */
  readonly prepare: (wanted: RoutedSet) => Promise<readonly RoutedPeering[]>;
  /** Takes back what `prepare` did: what is not known from memory goes back to what the kernel had. */
  readonly undo: () => Promise<void>;
  /** Removes the tunnels that are not wanted any more. */
  readonly finish: () => Promise<void>;
  /** Whether `wanted` is what runs, as far as is known. */
  readonly runs: (wanted: RoutedSet) => boolean;
  /**
   * Names of the tunnels that are not what they were set to be; the next change looks at these again. An endpoint
   * may differ: WireGuard follows a participant who moves. Not between `prepare` and `finish`.
   */
  readonly strayed: () => Promise<readonly string[]>;
}

export interface TunnelsOptions {
  readonly run: Run;
  readonly commands: InterfaceCommands;
  readonly owned: OwnedInterfaces;
  readonly key: NodeKey;
}

/** What an interface has, in the terms of what it shall have. */
interface Actual extends Link {
  readonly config: string;
}

/** UDP ports by interface. */
type Ports = ReadonlyMap<string, number>;

/** What the kernel showed when it was looked at. */
interface Kernel {
  readonly links: ReadonlyMap<string, Link>;
  readonly states: ReadonlyMap<string, TunnelState>;
}

export function createTunnels({ run, commands, owned, key }: TunnelsOptions): Tunnels {
  let known: RoutedSet | null = null;
  let pending: {
    readonly before: RoutedSet | null;
    readonly wanted: RoutedSet;
    readonly fresh: readonly string[];
    readonly gone: readonly string[];
    readonly kernel: Kernel | null;
  } | null = null;

  const actualOf = (routed: RoutedPeering): Actual => ({
    config: renderWireguard(routed, key.privateKey),
    addresses: tunnelAddresses(routed.peering),
    up: true,
  });

  async function bringTo(routed: RoutedPeering, actual: Actual | undefined): Promise<boolean> {
    const name = interfaceName(routed.peering.asn);
    const wanted = actualOf(routed);
    if (!actual) await commands.create(name);
    const configChanges = actual?.config !== wanted.config;
    const change = addressChange(actual, wanted);
    // Before the configuration: wireguard-go tells of a port that is taken only while the interface is up.
    if (actual?.up !== true) await commands.up(name, change);
    if (configChanges) await commands.configure(name, wanted.config);
    if (actual?.up === true) await commands.changeAddresses(name, change);
    return configChanges;
  }

  async function look(): Promise<Kernel> {
    const [links, dump] = await Promise.all([
      runOk(run, "ip", ["-json", "address", "show"]),
      runOk(run, "wg", ["show", "all", "dump"]),
    ]);
    return { links: parseLinks(links), states: parseDump(dump) };
  }

  function seenIn({ links, states }: Kernel, routed: RoutedPeering): Actual | undefined {
    const name = interfaceName(routed.peering.asn);
    const link = links.get(name);
    return link && { ...link, config: configOf(states.get(name), routed, key) };
  }

  async function prepare(wanted: RoutedSet): Promise<readonly RoutedPeering[]> {
    const before = known;
    const changed = Array.from(wanted.values()).filter((routed) => {
      const had = before?.get(routed.peering.asn);
      return !had || !sameRouted(had, routed);
    });
    const gone = Array.from(owned.names()).filter((name) => !wanted.has(name.slice("dn42_".length)));
    const fresh = changed
      .map(({ peering }) => interfaceName(peering.asn))
      .filter((name) => !owned.names().has(name));
    const unknown = changed.some(
      ({ peering: { asn } }) => !before?.has(asn) && owned.names().has(interfaceName(asn)),
    );
    const kernel = !before || unknown ? await look() : null;
    await refuseForeign(fresh, kernel ? (name) => kernel.links.has(name) : commands.exists);
    pending = { before, wanted, fresh, gone, kernel };
    known = null;
    await owned.add(fresh);
    await freePorts(new Map([...portsIn(kernel), ...portsOf(before)]), portsOf(wanted));
    const restarted: RoutedPeering[] = [];
    for (const routed of changed) {
      const had = before?.get(routed.peering.asn);
      const actual = had ? actualOf(had) : kernel ? seenIn(kernel, routed) : undefined;
      const configChanged = await bringTo(routed, actual);
      if (configChanged) restarted.push(routed);
    }
    return restarted;
  }

  /** A port that one tunnel gives up and another takes must be free in between. */
  async function freePorts(has: Ports, shall: Ports): Promise<void> {
    const taken = new Set(shall.values());
    for (const [name, port] of has) {
      if (shall.get(name) !== port && taken.has(port)) await commands.freePort(name);
    }
  }

  function portsIn(kernel: Kernel | null): Ports {
    const states = Array.from(kernel?.states ?? []).filter(([name]) => owned.names().has(name));
    return new Map(states.map(([name, { listenPort }]) => [name, listenPort]));
  }

  async function undo(): Promise<void> {
    if (!pending) return;
    const { before, wanted, fresh, gone, kernel: was } = pending;
    for (const name of fresh.filter((one) => owned.names().has(one))) await commands.remove(name);
    const now = await look();
    await freePorts(portsIn(now), new Map([...portsIn(was), ...portsOf(before)]));
    const touched = [...Array.from(wanted.keys(), interfaceName), ...gone];
    for (const name of touched.filter((one) => !fresh.includes(one) && !portsOf(before).has(one))) {
      await putBack(name, was, now);
    }
    for (const [asn, routed] of before ?? []) {
      const wish = wanted.get(asn);
      if (wish && sameRouted(wish, routed)) continue;
      await bringTo(routed, seenIn(now, routed));
    }
    await owned.remove(fresh);
    known = before;
    pending = null;
  }

  /** Makes an owned interface what the kernel showed of it before, whoever had set it so. */
  async function putBack(name: string, was: Kernel | null, now: Kernel): Promise<void> {
    const [had, has] = [was?.links.get(name), now.links.get(name)];
    const state = was?.states.get(name);
    if (!had || !state) {
      if (has) await commands.remove(name);
      return;
    }
    if (!has) await commands.create(name);
    await commands.configure(name, renderState(state));
    const change = addressChange(has, had);
    if (had.up && has?.up !== true) await commands.up(name, change);
    else await commands.changeAddresses(name, change);
  }

  async function strayed(): Promise<readonly string[]> {
    if (!known) return [];
    const kernel = await look();
    const right = Array.from(known).filter(([, routed]) => {
      const { addresses } = actualOf(routed);
      const name = interfaceName(routed.peering.asn);
      const link = kernel.links.get(name);
      return (
        link?.up === true &&
        sameTexts(link.addresses, addresses) &&
        runsTunnel(kernel.states.get(name), routed, key)
      );
    });
    if (right.length === known.size) return [];
    const kept = new Map(right);
    const names = Array.from(known.keys())
      .filter((asn) => !kept.has(asn))
      .map(interfaceName);
    known = kept;
    return names;
  }

  async function finish(): Promise<void> {
    if (!pending) return;
    const { wanted, gone } = pending;
    const removable = gone.filter((name) => owned.names().has(name));
    for (const name of removable) await commands.remove(name);
    await owned.remove(removable);
    known = wanted;
    pending = null;
  }

  return {
    prepare,
    undo,
    finish,
    runs: (wanted) => known !== null && sameSet(known, wanted),
    strayed,
  };
}

type Addressed = Pick<Actual, "addresses">;

function addressChange(from: Addressed | undefined, to: Addressed): AddressChange {
  const had = from?.addresses ?? [];
  return {
    remove: had.filter((address) => !to.addresses.includes(address)),
    add: to.addresses.filter((address) => !had.includes(address)),
  };
}

/** Interfaces of such a name that are not ours stay as they are. */
async function refuseForeign(
  names: readonly string[],
  exists: (name: string) => boolean | Promise<boolean>,
): Promise<void> {
  for (const name of names) {
    if (await exists(name)) {
      throw new RouterRefused(
        `The router has an interface ${name} already that Peerdeck did not make, and left it alone. ` +
          "The provider must remove or rename it first.",
      );
    }
  }
}

/** The rendered text where the interface runs just that, else a text that equals none. */
function configOf(state: TunnelState | undefined, routed: RoutedPeering, key: NodeKey): string {
  const wanted = renderWireguard(routed, key.privateKey);
  const endpoint = /^Endpoint = (.*)$/m.exec(wanted)?.[1];
  return runsTunnel(state, routed, key) && state?.peers[0]?.endpoint === endpoint ? wanted : "";
}

/** Whether the interface has the tunnel's keys, port and peer, wherever that peer is at the moment. */
function runsTunnel(state: TunnelState | undefined, routed: RoutedPeering, key: NodeKey): boolean {
  const [peer, ...others] = state?.peers ?? [];
  const allowed = /^AllowedIPs = (.*)$/m.exec(renderWireguard(routed, key.privateKey))?.[1];
  return (
    state?.privateKey === key.privateKey &&
    state.listenPort === routed.peering.listenPort &&
    others.length === 0 &&
    peer?.publicKey === routed.peering.publicKey &&
    peer.keepalive !== null &&
    sameTexts(peer.allowedIps, allowed?.split(", ") ?? [])
  );
}

function portsOf(set: RoutedSet | null): Ports {
  return new Map(
    Array.from(set?.values() ?? [], ({ peering }) => [interfaceName(peering.asn), peering.listenPort]),
  );
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join() === b.toSorted().join();
}

function sameSet(a: RoutedSet, b: RoutedSet): boolean {
  return (
    a.size === b.size &&
    Array.from(b).every(([asn, routed]) => {
      const had = a.get(asn);
      return had !== undefined && sameRouted(had, routed);
    })
  );
}

export function sameRouted(a: RoutedPeering, b: RoutedPeering): boolean {
  return a === b || (a.endpointAddress === b.endpointAddress && samePeering(a.peering, b.peering));
}
