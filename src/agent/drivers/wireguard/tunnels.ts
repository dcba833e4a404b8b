/**
 * The participants' tunnels of a node.
 *
 * Invariants: only interfaces on the list of owned ones are changed. A change has two halves, so that the
 * first can be rolled back: `prepare` adds and edits, `finish` removes; after `prepare` either `finish` or
 * `undo` is called. The running tunnels are known from memory. If they are not (first change of this process,
 * after a failure, or after drift), they are read from the kernel once, with a fixed number of commands. A tunnel that cannot
 * be set up is left out (`../left-out`): it is not known to run, and a later change tries it again. One that only lacks
 * IPv6 addresses, because the node has no IPv6, is known to run without them.
 */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { Run } from "#system/processes.ts";
import type { Clock } from "../../clock.ts";
import type { TunnelValue } from "../drift/drifted-value.ts";
import { createTunnelRepairs, type TunnelRepair } from "../drift/tunnel-repairs.ts";
import { findDriftedValues } from "../drift/tunnel-values.ts";
import type { RoutedPeering } from "../router.ts";
import { type Link, linkChange } from "./addresses.ts";
import type { InterfaceCommands } from "./interface-commands.ts";
import { expectedState, type InterfaceStates, readState } from "./interface-state.ts";
import { type Kernel, type Ports, portsIn, readKernel, tunnelIn, withoutPorts } from "./kernel-state.ts";
import type { NodeKey } from "./node-key.ts";
import type { LeftOutTunnels } from "../left-out/left-out-tunnels.ts";
import { findForeignNames } from "../left-out/foreign-names.ts";
import { findOccupied } from "../left-out/occupied-ports.ts";
import { createRetrySchedule } from "../left-out/retry-schedule.ts";
import type { OwnedInterfaces } from "./owned-interfaces.ts";
import type { WireguardReader } from "./read-interfaces.ts";
import { renderConfig } from "./render.ts";
import {
  findStartable,
  planTunnels,
  type StartableTunnels,
  type TunnelPlan,
} from "../left-out/tunnel-plan.ts";
import { isSameRouted, isSameSet, type RoutedSet } from "./tunnel-state.ts";

export interface Tunnels {
  /**
   * Adds and edits tunnels until all of `desired` run, except those that are left out.
   *
   * @param requested the AS numbers of tunnels that are refused instead of being left out
   */
  readonly prepare: (desired: RoutedSet, requested: ReadonlySet<string>) => Promise<PreparedTunnels>;
  /**
   * Rolls back `prepare`. Tunnels that are not known from memory get the state that the kernel had before.
   */
  readonly undo: () => Promise<void>;
  /** Removes the tunnels that are no longer desired. */
  readonly finish: () => Promise<void>;
  /** Whether `desired` equals the tunnels that are known to run. */
  readonly isCurrent: (desired: RoutedSet) => boolean;
  /** The tunnels that the last change left out. */
  readonly leftOut: () => LeftOutTunnels;
  /** Finds which tunnels that are left out the next change tries again. Must not be called between `prepare` and `finish`. */
  readonly findStartable: () => Promise<StartableTunnels>;
  /**
   * Compares the tunnels with what was set. Changes nothing. The endpoint of a participant who moves is no drift. Must not be
   * called between `prepare` and `finish`.
   */
  readonly findDrifted: () => Promise<TunnelDrift>;
  /** The next change reads these tunnels from the kernel, and repairs them. */
  readonly repairNext: (repairs: ReadonlyMap<string, TunnelRepair>) => void;
}

export interface TunnelDrift {
  /** The values that differ from what was set, by AS. */
  readonly values: ReadonlyMap<string, readonly TunnelValue[]>;
  /** All interfaces of the machine; null before the first change and after one that failed. */
  readonly links: ReadonlyMap<string, Link> | null;
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
  readonly clock: Pick<Clock, "now">;
}

export function createTunnels({ run, wireguard, commands, owned, key, clock }: TunnelsOptions): Tunnels {
  const retries = createRetrySchedule(clock.now);
  const repairs = createTunnelRepairs(key);
  let known: RoutedSet | null = null;
  let leftOut: LeftOutTunnels = new Map();
  let inProgress: {
    readonly before: RoutedSet | null;
    readonly plan: TunnelPlan;
    readonly created: readonly string[];
    readonly removed: readonly string[];
    readonly kernel: Kernel | null;
    /** The interfaces that were changed. */
    readonly touched: Set<string>;
  } | null = null;

  async function converge(
    routed: RoutedPeering,
    { actual, desired = expectedState(routed, key) }: Partial<InterfaceStates>,
  ): Promise<boolean> {
    const name = interfaceName(routed.peering.asn);
    const configChanges = actual?.config !== desired.config;
    const change = linkChange(actual, desired);
    if (!actual) await commands.create(name);
    try {
      // The interface comes up before it is configured: wireguard-go reports an occupied port only while the
      // interface is up.
      if (actual?.up !== true) await commands.up(name, change);
      if (configChanges) await commands.configure(name, desired.config);
      if (actual?.up === true) await commands.changeLink(name, change);
      if (actual?.up === true && actual.hasWrongSettings) await commands.changeSettings(name);
    } catch (error) {
      if (!actual) await commands.remove(name).catch(() => {});
      throw error;
    }
    return configChanges;
  }

  const readKernelState = () => readKernel(run, wireguard, owned.names());

  async function prepare(desired: RoutedSet, requested: ReadonlySet<string>): Promise<PreparedTunnels> {
    const plan = await planTunnels({ desired, requested, leftOut, retries });
    const before = known && plan.stillKnown(known);
    let changed = plan.toRun().filter((routed) => {
      const previous = before?.get(routed.peering.asn);
      return !previous || !isSameRouted(previous, routed);
    });
    const removed = Array.from(owned.names()).filter((name) => !desired.has(name.slice("dn42_".length)));
    const isUnknown = changed.some(
      ({ peering: { asn } }) => !before?.has(asn) && owned.names().has(interfaceName(asn)),
    );
    const kernel = !before || isUnknown ? await readKernelState() : null;
    const foreign = await findForeignNames(changed, kernel, owned.names(), commands.exists);
    for (const asn of foreign) plan.leaveOut(asn, { kind: "name" });
    await owned.remove(foreign.map(interfaceName));
    changed = changed.filter(plan.isToRun);
    const created = changed
      .map(({ peering }) => interfaceName(peering.asn))
      .filter((name) => !owned.names().has(name));
    const touched = new Set<string>();
    inProgress = { before, plan, created, removed, kernel, touched };
    known = null;
    const release = async (name: string) => {
      touched.add(name);
      await commands.releasePort(name);
    };
    const { occupied, released } = await findOccupied(
      changed.filter(
        ({ peering: { asn } }) => !before?.has(asn) && kernel?.links.get(interfaceName(asn))?.up !== true,
      ),
      new Set([...portsIn(kernel, "up"), ...portsOf(before)].map(([, port]) => port)),
      { ports: portsIn(kernel, "down"), release },
    );
    for (const asn of occupied.keys()) plan.leaveOut(asn, { kind: "port" });
    changed = changed.filter(plan.isToRun);
    await owned.add(created);
    await releasePorts(new Map([...portsIn(kernel), ...portsOf(before)]), portsOf(desired), release);
    const restarted: RoutedPeering[] = [];
    const repaired: string[] = [];
    for (const routed of plan.inOrderOfTries(changed)) {
      const { asn } = routed.peering;
      const previous = before?.get(asn);
      const states =
        previous || !kernel
          ? { actual: previous && expectedState(previous, key) }
          : repairs.statesOf(routed, withoutPorts(kernel, released));
      // A tunnel that could not be created is not in the kernel; another program's interface may be.
      if (states.actual) touched.add(interfaceName(asn));
      const configChanged = await plan.attempt(asn, () => converge(routed, states));
      if (configChanged === null) continue;
      touched.add(interfaceName(asn));
      if (configChanged) restarted.push(routed);
      const isKnown = previous !== undefined || created.includes(interfaceName(asn));
      const canHaveDrifted = kernel !== null && !isKnown && !repairs.isRepeated(asn);
      const hasDrifted = canHaveDrifted && findDriftedValues(tunnelIn(kernel, asn), routed, key).length > 0;
      if (hasDrifted || (leftOut.has(asn) && !plan.leftOut().has(asn))) repaired.push(asn);
    }
    return { restarted, repaired, leftovers: before === null ? removed.length : 0 };
  }

  async function undo(): Promise<void> {
    if (!inProgress) return;
    const { before, created, kernel: kernelBefore, touched } = inProgress;
    for (const name of created.filter((one) => touched.has(one))) await commands.remove(name);
    const changed = Array.from(touched).filter((name) => !created.includes(name));
    if (changed.length > 0) {
      const kernelNow = await readKernelState();
      const portsBefore = new Map([...portsIn(kernelBefore), ...portsOf(before)]);
      await releasePorts(portsIn(kernelNow), portsBefore, commands.releasePort);
      const errors: unknown[] = [];
      for (const name of changed) {
        const routed = before?.get(name.slice("dn42_".length));
        const restored = routed
          ? converge(routed, { actual: readState(kernelNow, routed, key) })
          : restoreInterface(name, kernelBefore, kernelNow);
        await restored.catch((error: unknown) => errors.push(error));
      }
      if (errors.length > 0) throw errors[0];
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

  async function findDrifted(): Promise<TunnelDrift> {
    if (!known) return { values: new Map(), links: null };
    const kernel = await readKernelState();
    const compared = Array.from(
      known,
      ([asn, routed]) => [asn, findDriftedValues(tunnelIn(kernel, asn), routed, key)] as const,
    );
    const values = new Map(compared.filter(([, drifted]) => drifted.length > 0));
    return { values, links: kernel.links };
  }

  function repairNext(next: ReadonlyMap<string, TunnelRepair>): void {
    repairs.plan(known ?? new Map(), next);
    known = known && new Map(Array.from(known).filter(([asn]) => !next.has(asn)));
  }

  async function finish(): Promise<void> {
    if (!inProgress) return;
    const { plan, removed } = inProgress;
    const removable = removed.filter((name) => owned.names().has(name));
    for (const name of removable) await commands.remove(name);
    await owned.remove(removable);
    known = new Map(plan.toRun().map((routed) => [routed.peering.asn, routed]));
    leftOut = plan.leftOut();
    repairs.finish();
    inProgress = null;
  }

  return {
    prepare,
    undo,
    finish,
    leftOut: () => leftOut,
    isCurrent: (desired) => known !== null && isSameSet(known, desired),
    findStartable: () => findStartable(leftOut, retries, commands.exists),
    findDrifted,
    repairNext,
  };
}

/** Releases ports that move from one tunnel to another: a port must be free in between. */
async function releasePorts(
  currentPorts: Ports,
  desiredPorts: Ports,
  release: (name: string) => Promise<void>,
): Promise<void> {
  const taken = new Set(desiredPorts.values());
  for (const [name, port] of currentPorts) {
    if (desiredPorts.get(name) !== port && taken.has(port)) await release(name);
  }
}

function portsOf(set: RoutedSet | null): Ports {
  return new Map(
    Array.from(set?.values() ?? [], ({ peering }) => [interfaceName(peering.asn), peering.listenPort]),
  );
}
