/**
 * The participants' tunnels of a node.
 *
 * Invariants: only interfaces on the list of owned ones are changed. A change has two halves, so that the
 * first can be rolled back: `prepare` adds and edits, `finish` removes; after `prepare` either `finish` or
 * `undo` is called. The running tunnels are known from memory. If they are not (first change of this process,
 * after a failure, or after drift), they are read from the kernel once, with a fixed number of commands. A tunnel
 * whose port another program uses is left out: it is not known to run, and the next change tries it again.
 */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { Run } from "#system/processes.ts";
import { type RoutedPeering, RouterRefusedError } from "../router.ts";
import { type Link, linkChange, tunnelAddresses, tunnelMtu } from "./addresses.ts";
import type { InterfaceCommands } from "./interface-commands.ts";
import { type Kernel, type Ports, portsIn, readKernel, tunnelIn, withoutPorts } from "./kernel-state.ts";
import type { NodeKey } from "./node-key.ts";
import { assertNotRequested, findOccupied } from "./occupied-ports.ts";
import type { OwnedInterfaces } from "./owned-interfaces.ts";
import type { WireguardReader } from "./read-interfaces.ts";
import { renderConfig, renderWireguard } from "./render.ts";
import { configOf, isRunning, isSameRouted, isSameSet, type RoutedSet } from "./tunnel-state.ts";

export interface Tunnels {
  /** Adds and edits tunnels until all of `desired` run, except those that are left out. */
  readonly prepare: (desired: RoutedSet) => Promise<PreparedTunnels>;
  /**
   * Rolls back `prepare`. Tunnels that are not known from memory get the state that the kernel had before.
   */
  readonly undo: () => Promise<void>;
  /** Removes the tunnels that are no longer desired. */
  readonly finish: () => Promise<void>;
  /** Whether `desired` equals the tunnels that are known to run. */
  readonly isCurrent: (desired: RoutedSet) => boolean;
  /** The tunnels that the last change left out, because another program used their ports. */
  readonly leftOut: () => RoutedSet;
  /**
   * Returns the names of tunnels that differ from what was set, and of those left out whose port is free now; the next
   * change reads these from the kernel.
   * A different endpoint is no drift: WireGuard follows a participant whose address changes. Must not be
   * called between `prepare` and `finish`.
   */
  readonly findDrifted: () => Promise<readonly string[]>;
}

export interface PreparedTunnels {
  /** The tunnels that start a new handshake. */
  readonly restarted: readonly RoutedPeering[];
  /** The AS numbers of tunnels of an earlier change that were missing or different in the kernel. */
  readonly repaired: readonly string[];
  /** How many tunnels of an interrupted change `finish` removes. */
  readonly leftovers: number;
}

export interface TunnelsOptions {
  readonly run: Run;
  readonly wireguard: WireguardReader;
  readonly commands: InterfaceCommands;
  readonly owned: OwnedInterfaces;
  readonly key: NodeKey;
}

/** The state of an interface, desired or actual. */
interface InterfaceState extends Link {
  readonly config: string;
}

export function createTunnels({ run, wireguard, commands, owned, key }: TunnelsOptions): Tunnels {
  let known: RoutedSet | null = null;
  let leftOut: RoutedSet = new Map();
  let inProgress: {
    readonly before: RoutedSet | null;
    readonly desired: RoutedSet;
    readonly occupied: RoutedSet;
    readonly created: readonly string[];
    readonly removed: readonly string[];
    readonly kernel: Kernel | null;
  } | null = null;

  const expectedState = (routed: RoutedPeering): InterfaceState => ({
    config: renderWireguard(routed, key.privateKey),
    mtu: tunnelMtu(routed.peering),
    addresses: tunnelAddresses(routed.peering),
    up: true,
  });

  async function converge(routed: RoutedPeering, actual: InterfaceState | undefined): Promise<boolean> {
    const name = interfaceName(routed.peering.asn);
    const desired = expectedState(routed);
    if (!actual) await commands.create(name);
    const configChanges = actual?.config !== desired.config;
    const change = linkChange(actual, desired);
    // The interface comes up before it is configured: wireguard-go reports an occupied port only while the
    // interface is up.
    if (actual?.up !== true) await commands.up(name, change);
    if (configChanges) await commands.configure(name, desired.config);
    if (actual?.up === true) await commands.changeLink(name, change);
    return configChanges;
  }

  const readKernelState = () => readKernel(run, wireguard, owned.names());

  function readState({ links, states }: Kernel, routed: RoutedPeering): InterfaceState | undefined {
    const name = interfaceName(routed.peering.asn);
    const link = links.get(name);
    return link && { ...link, config: configOf(states.get(name), routed, key) };
  }

  async function prepare(desired: RoutedSet): Promise<PreparedTunnels> {
    const before = known;
    const changed = Array.from(desired.values()).filter((routed) => {
      const previous = before?.get(routed.peering.asn);
      return !previous || !isSameRouted(previous, routed);
    });
    const removed = Array.from(owned.names()).filter((name) => !desired.has(name.slice("dn42_".length)));
    const created = changed
      .map(({ peering }) => interfaceName(peering.asn))
      .filter((name) => !owned.names().has(name));
    const isUnknown = changed.some(
      ({ peering: { asn } }) => !before?.has(asn) && owned.names().has(interfaceName(asn)),
    );
    const kernel = !before || isUnknown ? await readKernelState() : null;
    await assertNotForeign(created, kernel ? (name) => kernel.links.has(name) : commands.exists);
    const ownPorts = new Map([...portsIn(kernel), ...portsOf(before)]);
    const occupied = new Map<string, RoutedPeering>();
    inProgress = { before, desired, occupied, created, removed, kernel };
    known = null;
    const found = await findOccupied(
      changed.filter(
        ({ peering: { asn } }) => !before?.has(asn) && kernel?.links.get(interfaceName(asn))?.up !== true,
      ),
      new Set([...portsIn(kernel, "up"), ...portsOf(before)].map(([, port]) => port)),
      { ports: portsIn(kernel, "down"), release: commands.releasePort },
    );
    for (const [asn, routed] of found.occupied) occupied.set(asn, routed);
    assertNotRequested(occupied, (asn) => created.includes(interfaceName(asn)), leftOut);
    await owned.add(created);
    await releasePorts(ownPorts, portsOf(desired));
    const restarted: RoutedPeering[] = [];
    const repaired: string[] = [];
    for (const routed of changed.filter(({ peering }) => !occupied.has(peering.asn))) {
      const previous = before?.get(routed.peering.asn);
      const actual = previous
        ? expectedState(previous)
        : kernel
          ? readState(withoutPorts(kernel, found.released), routed)
          : undefined;
      const configChanged = await converge(routed, actual);
      if (configChanged) restarted.push(routed);
      const { asn } = routed.peering;
      const isKnown = previous !== undefined || created.includes(interfaceName(asn));
      if (kernel && !isKnown && !isRunning(tunnelIn(kernel, asn), routed, key)) repaired.push(asn);
    }
    return { restarted, repaired, leftovers: before === null ? removed.length : 0 };
  }

  /** Releases ports that move from one tunnel to another: a port must be free in between. */
  async function releasePorts(currentPorts: Ports, desiredPorts: Ports): Promise<void> {
    const taken = new Set(desiredPorts.values());
    for (const [name, port] of currentPorts) {
      if (desiredPorts.get(name) !== port && taken.has(port)) await commands.releasePort(name);
    }
  }

  async function undo(): Promise<void> {
    if (!inProgress) return;
    const { before, desired, created, removed, kernel: kernelBefore } = inProgress;
    for (const name of created.filter((one) => owned.names().has(one))) await commands.remove(name);
    const kernelNow = await readKernelState();
    await releasePorts(portsIn(kernelNow), new Map([...portsIn(kernelBefore), ...portsOf(before)]));
    const affected = [...Array.from(desired.keys(), interfaceName), ...removed];
    for (const name of affected.filter((one) => !created.includes(one) && !portsOf(before).has(one))) {
      await restoreInterface(name, kernelBefore, kernelNow);
    }
    for (const [asn, routed] of before ?? []) {
      const desiredRouted = desired.get(asn);
      if (desiredRouted && isSameRouted(desiredRouted, routed)) continue;
      await converge(routed, readState(kernelNow, routed));
    }
    await owned.remove(created);
    known = before;
    inProgress = null;
  }

  /** Restores an owned interface to its earlier state in the kernel, even if another program had set that state. */
  async function restoreInterface(
    name: string,
    kernelBefore: Kernel | null,
    kernelNow: Kernel,
  ): Promise<void> {
    const [previous, current] = [kernelBefore?.links.get(name), kernelNow.links.get(name)];
    const state = kernelBefore?.states.get(name);
    if (!previous || !state) {
      if (current) await commands.remove(name);
      return;
    }
    if (!current) await commands.create(name);
    await commands.configure(name, renderConfig(state));
    const change = linkChange(current, previous);
    if (previous.up && current?.up !== true) await commands.up(name, change);
    else await commands.changeLink(name, change);
  }

  async function findDrifted(): Promise<readonly string[]> {
    if (!known) return [];
    const { occupied: stillOccupied } = await findOccupied(leftOut.values(), new Set());
    const startable = Array.from(leftOut.keys())
      .filter((asn) => !stillOccupied.has(asn))
      .map(interfaceName);
    const kernel = await readKernelState();
    const unchanged = Array.from(known).filter(([asn, routed]) =>
      isRunning(tunnelIn(kernel, asn), routed, key),
    );
    if (unchanged.length === known.size) return startable;
    const unchangedSet = new Map(unchanged);
    const names = Array.from(known.keys())
      .filter((asn) => !unchangedSet.has(asn))
      .map(interfaceName);
    known = unchangedSet;
    return [...startable, ...names];
  }

  async function finish(): Promise<void> {
    if (!inProgress) return;
    const { desired, occupied, removed } = inProgress;
    const removable = removed.filter((name) => owned.names().has(name));
    for (const name of removable) await commands.remove(name);
    await owned.remove(removable);
    known = new Map(Array.from(desired).filter(([asn]) => !occupied.has(asn)));
    leftOut = occupied;
    inProgress = null;
  }

  return {
    prepare,
    undo,
    finish,
    leftOut: () => leftOut,
    isCurrent: (desired) => known !== null && isSameSet(known, desired),
    findDrifted,
  };
}

/** Rejects if an interface of such a name exists that the agent did not create. */
async function assertNotForeign(
  names: readonly string[],
  exists: (name: string) => boolean | Promise<boolean>,
): Promise<void> {
  for (const name of names) {
    if (await exists(name)) {
      throw new RouterRefusedError({ code: "interface-taken", facts: {} }, { detail: name });
    }
  }
}

function portsOf(set: RoutedSet | null): Ports {
  return new Map(
    Array.from(set?.values() ?? [], ({ peering }) => [interfaceName(peering.asn), peering.listenPort]),
  );
}
