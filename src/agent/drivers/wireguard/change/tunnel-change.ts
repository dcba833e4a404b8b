/**
 * One change of the participants' tunnels: first their interfaces with `ip`, later WireGuard with `wg`, at last the removals.
 *
 * Invariant: what a part changes is noted before, so that the undo finds it after a failure.
 */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { TunnelRepairs } from "../../drift/tunnel-repairs.ts";
import { findDriftedValues } from "../../drift/tunnel-values.ts";
import { findForeignNames } from "../../left-out/foreign-names.ts";
import type { LeftOutTunnels } from "../../left-out/left-out-tunnels.ts";
import { findOccupied } from "../../left-out/occupied-ports.ts";
import type { TunnelPlan } from "../../left-out/tunnel-plan.ts";
import type { RoutedPeering } from "../../router.ts";
import type { InterfaceCommands } from "../interface-commands.ts";
import { expectedState, type InterfaceStates } from "../interface-state.ts";
import { type Kernel, type Ports, portsIn, tunnelIn, withoutPorts } from "../kernel-state.ts";
import type { OwnedInterfaces } from "../owned-interfaces.ts";
import { releasePorts, restoreTunnels } from "./restore-tunnels.ts";
import { setLink, setPeer } from "./set-tunnel.ts";
import type { TunnelKeys } from "../tunnel-keys.ts";
import { asnOf, isSameRouted, type RoutedSet } from "../tunnel-state.ts";

export interface TunnelChange {
  /** The tunnels that are known to have run before; null if none is known. */
  readonly before: RoutedSet | null;
  readonly plan: TunnelPlan;
  readonly createLinks: () => Promise<void>;
  readonly changeLinks: () => Promise<void>;
  readonly setPeers: () => Promise<void>;
  readonly undoPeers: () => Promise<void>;
  readonly undoLinks: () => Promise<void>;
  readonly finish: () => Promise<ChangedTunnels>;
}

export interface ChangedTunnels {
  /** The tunnels that start a new handshake. */
  readonly restarted: readonly RoutedPeering[];
  /** The AS numbers of tunnels of an earlier change that were missing or different in the kernel. */
  readonly repaired: readonly string[];
  /** How many tunnels of an interrupted change were removed. */
  readonly leftovers: number;
}

export interface TunnelChangeOptions {
  readonly commands: InterfaceCommands;
  readonly owned: OwnedInterfaces;
  readonly keys: Pick<TunnelKeys, "privateKeyOf">;
  readonly repairs: Pick<TunnelRepairs, "statesOf" | "isRepeated">;
  readonly readKernel: () => Promise<Kernel>;
  readonly plan: TunnelPlan;
  readonly desired: RoutedSet;
  readonly before: RoutedSet | null;
  /** The tunnels that the previous change left out. */
  readonly leftOutBefore: LeftOutTunnels;
}

/** Finds what changes. Changes only the list of owned interfaces. */
export async function beginTunnelChange(options: TunnelChangeOptions): Promise<TunnelChange> {
  const { commands, owned, keys, repairs, plan, desired, before, leftOutBefore } = options;
  let changed = plan.toRun().filter((routed) => {
    const previous = before?.get(routed.peering.asn);
    return !previous || !isSameRouted(previous, routed);
  });
  const removed = Array.from(owned.names()).filter((name) => !desired.has(asnOf(name)));
  const isUnknown = changed.some(
    ({ peering: { asn } }) => !before?.has(asn) && owned.names().has(interfaceName(asn)),
  );
  const kernel = !before || isUnknown ? await options.readKernel() : null;
  const foreign = await findForeignNames(changed, kernel, owned.names(), commands.exists);
  for (const asn of foreign) plan.leaveOut(asn, { kind: "name" });
  await owned.remove(foreign.map(interfaceName));
  changed = changed.filter(plan.isToRun);
  const created = changed
    .map(({ peering }) => interfaceName(peering.asn))
    .filter((name) => !owned.names().has(name));
  const portsBefore = new Map([...portsIn(kernel), ...portsOf(before)]);
  /** The interfaces that have released their ports. */
  let released: ReadonlySet<string> = new Set();
  /** The interfaces that were changed. */
  const touched = new Set<string>();
  /** Those that have their links, with what they had before. */
  const linked: Array<{ readonly routed: RoutedPeering; readonly states: InterfaceStates }> = [];
  const restarted: RoutedPeering[] = [];
  const repaired: string[] = [];
  const release = async (name: string) => {
    touched.add(name);
    await commands.releasePort(name);
  };

  async function leaveOutOccupied(): Promise<ReadonlySet<string>> {
    const found = await findOccupied(
      changed.filter(
        ({ peering: { asn } }) => !before?.has(asn) && kernel?.links.get(interfaceName(asn))?.up !== true,
      ),
      new Set([...portsIn(kernel, "up"), ...portsOf(before)].map(([, port]) => port)),
      { ports: portsIn(kernel, "down"), release },
    );
    for (const asn of found.occupied.keys()) plan.leaveOut(asn, { kind: "port" });
    changed = changed.filter(plan.isToRun);
    return found.released;
  }

  function statesOf(routed: RoutedPeering): InterfaceStates {
    const previous = before?.get(routed.peering.asn);
    if (!previous && kernel) return repairs.statesOf(routed, withoutPorts(kernel, released));
    return { actual: previous && expectedState(previous, keys), desired: expectedState(routed, keys) };
  }

  async function createLinks(): Promise<void> {
    released = await leaveOutOccupied();
    await owned.add(created);
    await setLinks(({ actual }) => !actual);
  }

  async function setLinks(isIn: (states: InterfaceStates) => boolean): Promise<void> {
    for (const routed of plan.inOrderOfTries(changed)) {
      const { asn } = routed.peering;
      const states = statesOf(routed);
      if (!isIn(states)) continue;
      // A tunnel that could not be created is not in the kernel; another program's interface may be.
      if (states.actual) touched.add(interfaceName(asn));
      const isSet = await plan.attempt("link", asn, () => setLink(commands, interfaceName(asn), states));
      if (isSet === null) continue;
      touched.add(interfaceName(asn));
      linked.push({ routed, states });
    }
  }

  async function setPeers(): Promise<void> {
    await releasePorts(portsBefore, portsOf(desired), release);
    for (const { routed, states } of linked) {
      const { asn } = routed.peering;
      const isRestarted = await plan.attempt("peer", asn, () => setPeer(commands, routed, states));
      if (isRestarted === true) restarted.push(routed);
      if (isRestarted !== null && isRepair(routed)) repaired.push(asn);
    }
  }

  function isRepair(routed: RoutedPeering): boolean {
    const { asn } = routed.peering;
    const isKnown = before?.has(asn) === true || created.includes(interfaceName(asn));
    const canHaveDrifted = kernel !== null && !isKnown && !repairs.isRepeated(asn);
    const hasDrifted = canHaveDrifted && findDriftedValues(tunnelIn(kernel, asn), routed, keys).length > 0;
    return hasDrifted || (leftOutBefore.has(asn) && !plan.leftOut().has(asn));
  }

  const restore = (part: "config" | "all") => {
    const names = Array.from(touched).filter((name) => !created.includes(name));
    return restoreTunnels(part, { ...options, names, kernelBefore: kernel, portsBefore });
  };

  async function undoPeers(): Promise<void> {
    for (const { routed, states } of linked) {
      const { asn, publicKey } = routed.peering;
      if (!states.actual) await commands.removePeer(interfaceName(asn), publicKey).catch(() => {});
    }
    await restore("config").catch(() => {});
  }

  async function undoLinks(): Promise<void> {
    for (const name of created.filter((one) => touched.has(one))) await commands.remove(name);
    await restore("all");
    await owned.remove(created);
  }

  async function finish(): Promise<ChangedTunnels> {
    const removable = removed.filter((name) => owned.names().has(name));
    for (const name of removable) await commands.remove(name);
    await owned.remove(removable);
    return { restarted, repaired, leftovers: before === null ? removed.length : 0 };
  }

  return {
    before,
    plan,
    createLinks,
    changeLinks: () => setLinks(({ actual }) => actual !== undefined),
    setPeers,
    undoPeers,
    undoLinks,
    finish,
  };
}

function portsOf(set: RoutedSet | null): Ports {
  return new Map(
    Array.from(set?.values() ?? [], ({ peering }) => [interfaceName(peering.asn), peering.listenPort]),
  );
}
