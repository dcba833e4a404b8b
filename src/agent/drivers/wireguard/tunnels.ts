/**
 * The participants' tunnels of a node.
 *
 * Invariants: only interfaces on the list of owned ones are touched. A change has two halves, so that the
 * first can be taken back: `prepare` adds and edits, `finish` removes; between them either `finish` or
 * `undo` is called. What runs is known from memory; where it is not (the first change of this life, or after
 * a failure), it is read from the kernel once, with a fixed number of commands.
 */
import { interfaceName } from "../../../domain/bgp-sessions.ts";
import { type Run, runOk } from "../../processes.ts";
import { samePeering } from "../../reconcile/held-peering.ts";
import { type RoutedPeering, RouterRefused } from "../router.ts";
import { parseLinks, tunnelAddresses } from "./addresses.ts";
import type { InterfaceCommands } from "./interface-commands.ts";
import type { NodeKey } from "./node-key.ts";
import type { OwnedInterfaces } from "./owned-interfaces.ts";
import { parseDump, type TunnelState } from "./parse-dump.ts";
import { renderWireguard } from "./render.ts";

export type RoutedSet = ReadonlyMap<string, RoutedPeering>;

export interface Tunnels {
  /** Adds and edits tunnels until all of `wanted` run. Gives those whose handshake starts anew. */
  readonly prepare: (wanted: RoutedSet) => Promise<readonly RoutedPeering[]>;
  /** Takes back what `prepare` did. Rejects where what ran before is not known. */
  readonly undo: () => Promise<void>;
  /** Removes the tunnels that are not wanted any more. */
  readonly finish: () => Promise<void>;
  /** Whether `wanted` is what runs, as far as is known. */
  readonly runs: (wanted: RoutedSet) => boolean;
  /** Makes the next change look at the kernel again. */
  readonly forget: () => void;
}

export interface TunnelsOptions {
  readonly run: Run;
  readonly commands: InterfaceCommands;
  readonly owned: OwnedInterfaces;
  readonly key: NodeKey;
}

/** What an interface has, in the terms of what it shall have. */
interface Actual {
  readonly config: string;
  readonly addresses: readonly string[];
  readonly up: boolean;
}

export function createTunnels({ run, commands, owned, key }: TunnelsOptions): Tunnels {
  let known: RoutedSet | null = null;
  let pending: {
    readonly before: RoutedSet | null;
    readonly wanted: RoutedSet;
    readonly gone: readonly string[];
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
    if (configChanges) await commands.configure(name, wanted.config);
    // Before the addresses: the kernel sets no route to an IPv6 peer whose interface is still down.
    if (actual?.up !== true) await commands.up(name);
    const has = actual?.addresses ?? [];
    await commands.changeAddresses(name, {
      remove: has.filter((address) => !wanted.addresses.includes(address)),
      add: wanted.addresses.filter((address) => !has.includes(address)),
    });
    return configChanges;
  }

  /** The state of all owned interfaces that exist, and the names of all that exist. */
  async function look() {
    const [links, dump] = await Promise.all([
      runOk(run, "ip", ["-json", "address", "show"]),
      runOk(run, "wg", ["show", "all", "dump"]),
    ]);
    const found = parseLinks(links);
    const states = parseDump(dump);
    return {
      exists: (name: string) => found.has(name),
      actual: (name: string, routed: RoutedPeering): Actual | undefined => {
        const link = found.get(name);
        return link && { ...link, config: configOf(states.get(name), routed, key) };
      },
    };
  }

  async function prepare(wanted: RoutedSet): Promise<readonly RoutedPeering[]> {
    const before = known;
    const kernel = before ? null : await look();
    const gone = before
      ? Array.from(before.keys())
          .filter((asn) => !wanted.has(asn))
          .map(interfaceName)
      : Array.from(owned.names()).filter((name) => !wanted.has(name.slice("dn42_".length)));
    const changed = Array.from(wanted.values()).filter((routed) => {
      const had = before?.get(routed.peering.asn);
      return !had || !sameRouted(had, routed);
    });
    const names = changed.map(({ peering }) => interfaceName(peering.asn));
    const fresh = names.filter((name) => !owned.names().has(name));
    await refuseForeign(run, fresh, kernel?.exists);
    pending = { before, wanted, gone };
    known = null;
    await owned.add(fresh);
    await freePorts(before, changed, gone);
    const restarted: RoutedPeering[] = [];
    for (const routed of changed) {
      const name = interfaceName(routed.peering.asn);
      const had = before?.get(routed.peering.asn);
      const actual = kernel ? kernel.actual(name, routed) : had && actualOf(had);
      const configChanged = await bringTo(routed, actual);
      if (configChanged) restarted.push(routed);
    }
    return restarted;
  }

  /** A port that one tunnel gives up and another takes must be free in between. */
  async function freePorts(
    before: RoutedSet | null,
    changed: readonly RoutedPeering[],
    gone: readonly string[],
  ) {
    const taken = new Set(changed.map(({ peering }) => peering.listenPort));
    const next = new Map(changed.map((routed) => [routed.peering.asn, routed.peering.listenPort]));
    for (const { peering } of before?.values() ?? []) {
      const name = interfaceName(peering.asn);
      const leaves =
        gone.includes(name) || (next.get(peering.asn) ?? peering.listenPort) !== peering.listenPort;
      if (leaves && taken.has(peering.listenPort)) await commands.freePort(name);
    }
  }

  async function undo(): Promise<void> {
    if (!pending) return;
    const { before, wanted } = pending;
    if (!before) throw new Error("what the tunnels were before is not known");
    const fresh = Array.from(wanted.keys())
      .filter((asn) => !before.has(asn))
      .map(interfaceName);
    const kept = new Set(owned.names());
    for (const name of fresh.filter((candidate) => kept.has(candidate))) await commands.remove(name);
    const kernel = await look();
    for (const [asn, routed] of before) {
      const changed = wanted.get(asn);
      if (changed && sameRouted(changed, routed)) continue;
      const name = interfaceName(asn);
      await bringTo(routed, kernel.actual(name, routed));
    }
    await owned.remove(fresh);
    known = before;
    pending = null;
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
    forget: () => {
      known = null;
      pending = null;
    },
  };
}

/** Interfaces of such a name that are not ours stay as they are. */
async function refuseForeign(
  run: Run,
  names: readonly string[],
  exists: ((name: string) => boolean) | undefined,
): Promise<void> {
  for (const name of names) {
    const there = exists ? exists(name) : (await run("ip", ["link", "show", "dev", name])).code === 0;
    if (there) {
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
  const [peer, ...others] = state?.peers ?? [];
  const endpoint = /^Endpoint = (.*)$/m.exec(wanted)?.[1];
  const allowed = /^AllowedIPs = (.*)$/m.exec(wanted)?.[1]?.split(", ").toSorted().join();
  const same =
    state?.privateKey === key.privateKey &&
    state.listenPort === routed.peering.listenPort &&
    others.length === 0 &&
    peer?.publicKey === routed.peering.publicKey &&
    peer.endpoint === endpoint &&
    peer.keepalive !== null &&
    peer.allowedIps.toSorted().join() === allowed;
  return same ? wanted : "";
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
