/**
 * The participants' tunnels of a node.
 *
 * Invariants: only interfaces on the list of owned ones are changed. A change has four parts (`tunnel-change.ts`):
 * `createLinks`, `changeLinks` and `setPeers`, which can be undone, and `finish`, which removes. After them either `finish` or
 * `undoLinks` is called. The running tunnels are known from memory. If they are not (first change of this process, after a failure, or
 * after drift), they are read from the kernel once, with a fixed number of commands. A tunnel that cannot be set up is left
 * out (`../left-out`): it is not known to run, and a later change tries it again. One that only lacks IPv6 addresses,
 * because the node has no IPv6, is known to run without them.
 */
import { ProcessError, type Run } from "#system/processes.ts";
import type { Clock } from "../../clock.ts";
import type { TunnelValue } from "../drift/drifted-value.ts";
import { createTunnelRepairs, type TunnelRepair } from "../drift/tunnel-repairs.ts";
import { findDriftedValues } from "../drift/tunnel-values.ts";
import type { LeftOutTunnels } from "../left-out/left-out-tunnels.ts";
import { createRetrySchedule } from "../left-out/retry-schedule.ts";
import { findStartable, planTunnels, type StartableTunnels } from "../left-out/tunnel-plan.ts";
import type { Link } from "./addresses.ts";
import type { InterfaceCommands } from "./interface-commands.ts";
import { readKernel, tunnelIn } from "./kernel-state.ts";
import type { OwnedInterfaces } from "./owned-interfaces.ts";
import type { WireguardReader } from "./read-interfaces.ts";
import { beginTunnelChange, type ChangedTunnels, type TunnelChange } from "./change/tunnel-change.ts";
import type { TunnelKeys } from "./tunnel-keys.ts";
import { asnOf, isSameSet, type RoutedSet } from "./tunnel-state.ts";

export interface Tunnels {
  /**
   * Begins a change: creates the interfaces of new tunnels, with addresses and without a peer, except those that are left out.
   *
   * @param requested the AS numbers of tunnels that are refused instead of being left out
   */
  readonly createLinks: (desired: RoutedSet, requested: ReadonlySet<string>) => Promise<void>;
  /** Changes the interfaces of the other tunnels. */
  readonly changeLinks: () => Promise<void>;
  /** Configures WireGuard. */
  readonly setPeers: () => Promise<void>;
  /** Takes new peers away, and gives changed tunnels their former configuration. What fails is left to `undoLinks`. */
  readonly undoPeers: () => Promise<void>;
  /** Rolls back the change. Tunnels that are not known from memory get the state that the kernel had before. */
  readonly undoLinks: () => Promise<void>;
  /**
   * Takes away the peers of tunnels of an interrupted change: those that `desired` does not have. Called before a change. What
   * fails is left to the change.
   */
  readonly removeLeftoverPeers: (desired: RoutedSet) => Promise<void>;
  /** Removes the tunnels that are no longer desired. */
  readonly finish: () => Promise<ChangedTunnels>;
  /** Whether `desired` equals the tunnels that are known to run. */
  readonly isCurrent: (desired: RoutedSet) => boolean;
  /** The tunnels that the last change left out. */
  readonly leftOut: () => LeftOutTunnels;
  /** Finds which tunnels that are left out the next change tries again. Must not be called during a change. */
  readonly findStartable: () => Promise<StartableTunnels>;
  /**
   * Compares the tunnels with what was set. Changes nothing. The endpoint of a participant who moves is no drift. Must not be
   * called during a change.
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

export interface TunnelsOptions {
  readonly run: Run;
  readonly wireguard: WireguardReader;
  readonly commands: InterfaceCommands;
  readonly owned: OwnedInterfaces;
  readonly keys: TunnelKeys;
  readonly clock: Pick<Clock, "now">;
}

export function createTunnels(options: TunnelsOptions): Tunnels {
  const { run, wireguard, commands, owned, keys, clock } = options;
  const retries = createRetrySchedule(clock.now);
  const repairs = createTunnelRepairs(keys);
  let known: RoutedSet | null = null;
  let leftOut: LeftOutTunnels = new Map();
  let change: TunnelChange | null = null;

  const readKernelState = () => readKernel(run, wireguard, owned.names());

  async function createLinks(desired: RoutedSet, requested: ReadonlySet<string>): Promise<void> {
    change = null;
    const plan = await planTunnels({ desired, requested, leftOut, retries, hasKey: keys.has });
    const before = known && plan.stillKnown(known);
    const parts = { commands, owned, keys, repairs, readKernel: readKernelState };
    change = await beginTunnelChange({ ...parts, plan, desired, before, leftOutBefore: leftOut });
    known = null;
    await change.createLinks();
  }

  async function undoLinks(): Promise<void> {
    if (!change) return;
    await change.undoLinks();
    known = change.before;
    change = null;
  }

  async function removeLeftoverPeers(desired: RoutedSet): Promise<void> {
    // Tunnels that are known from memory are not those of an interrupted change.
    if (known) return;
    const states = await wireguard.read(owned.names()).catch(ignoreProcessError);
    for (const [name, { peers }] of states ?? []) {
      const { publicKey: desiredKey } = desired.get(asnOf(name))?.peering ?? {};
      for (const { publicKey } of peers) {
        if (publicKey !== desiredKey) await commands.removePeer(name, publicKey).catch(ignoreProcessError);
      }
    }
  }

  async function findDrifted(): Promise<TunnelDrift> {
    if (!known) return { values: new Map(), links: null };
    const kernel = await readKernelState();
    const compared = Array.from(
      known,
      ([asn, routed]) => [asn, findDriftedValues(tunnelIn(kernel, asn), routed, keys)] as const,
    );
    const values = new Map(compared.filter(([, drifted]) => drifted.length > 0));
    return { values, links: kernel.links };
  }

  function repairNext(next: ReadonlyMap<string, TunnelRepair>): void {
    repairs.plan(known ?? new Map(), next);
    known = known && new Map(Array.from(known).filter(([asn]) => !next.has(asn)));
  }

  async function finish(): Promise<ChangedTunnels> {
    if (!change) throw new Error("no change of the tunnels is in progress");
    const { plan } = change;
    const changed = await change.finish();
    known = new Map(plan.toRun().map((routed) => [routed.peering.asn, routed]));
    leftOut = plan.leftOut();
    repairs.finish();
    change = null;
    return changed;
  }

  return {
    createLinks,
    changeLinks: async () => change?.changeLinks(),
    setPeers: async () => change?.setPeers(),
    undoPeers: async () => change?.undoPeers(),
    undoLinks,
    removeLeftoverPeers,
    finish,
    leftOut: () => leftOut,
    isCurrent: (desired) => known !== null && isSameSet(known, desired),
    findStartable: () => findStartable(leftOut, retries, commands.exists),
    findDrifted,
    repairNext,
  };
}

function ignoreProcessError(error: unknown): void {
  if (!(error instanceof ProcessError)) throw error;
}
