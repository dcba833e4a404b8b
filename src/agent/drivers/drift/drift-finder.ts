/**
 * Compares the router with what the agent set, and plans the repairs of the next change.
 *
 * Invariants: a reading that fails plans nothing. Only what a finding of `find` reports is repaired. A value is repaired as
 * often as the limiter allows, and counts as repaired when the change is done.
 */
import type { Finding } from "#domain/findings/findings.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Generations } from "../bird/generations.ts";
import type { SessionFiles } from "../bird/session-files.ts";
import type { UnloadedChanges } from "../bird/unloaded-changes.ts";
import type { Firewall } from "../firewall/firewall.ts";
import type { DriftFinding } from "../router.ts";
import type { TunnelDrift, Tunnels } from "../wireguard/tunnels.ts";
import { describeContested, type DriftedValue, maxNames } from "./drifted-value.ts";
import type { NodeAddresses } from "./node-addresses.ts";
import { createRepairLimiter } from "./repair-limiter.ts";

export interface DriftFinder {
  readonly find: (set: LastSet) => Promise<Drift>;
  /** What `find` planned is done. */
  readonly noteRepaired: () => void;
  /** The values that another program works against, for the node's health. */
  readonly findings: () => readonly Finding[];
}

/** The last change of the router. */
export interface LastSet {
  /** Whether BIRD's files are known to match it. */
  readonly isBirdInSync: boolean;
  /** Whether BIRD still has sessions of removed peerings. */
  readonly hasPostponedSessions: boolean;
}

export interface Drift {
  /** Without names of participants. */
  readonly findings: readonly DriftFinding[];
  readonly hasBirdDrifted: boolean;
}

export interface DriftFinderOptions {
  readonly tunnels: Pick<Tunnels, "findDrifted" | "findStartable" | "repairNext">;
  readonly firewall: Pick<Firewall, "hasDrifted" | "replaceNext">;
  readonly generations: Pick<Generations, "isConfirmed">;
  readonly unloadedChanges: UnloadedChanges;
  readonly sessionFiles: Pick<SessionFiles, "areCurrent">;
  readonly nodeAddresses: NodeAddresses;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "warn">;
}

export function createDriftFinder(options: DriftFinderOptions): DriftFinder {
  const { tunnels, firewall, generations, unloadedChanges, sessionFiles, nodeAddresses, log } = options;
  const limiter = createRepairLimiter(options.clock);
  let planned: readonly DriftedValue[] = [];

  async function find({ isBirdInSync, hasPostponedSessions }: LastSet): Promise<Drift> {
    const isConfirmed = await generations.isConfirmed();
    const hasBirdChanged = !isConfirmed && isBirdInSync;
    const hasOtherStates = isConfirmed && !(await sessionFiles.areCurrent());
    const canConfigure = (hasPostponedSessions || hasOtherStates) && (await unloadedChanges.find()) === null;
    const hasFirewallChanged = await firewall.hasDrifted();
    const startable = await tunnels.findStartable();
    const ofTunnels = await tunnels.findDrifted();
    const missing = ofTunnels.links === null ? [] : nodeAddresses.findMissing(ofTunnels.links);

    const drifted: readonly DriftedValue[] = [
      ...(hasBirdChanged ? [{ value: "bird", name: "" } as const] : []),
      ...(hasFirewallChanged ? [{ value: "packet-filter", name: "" } as const] : []),
      ...missing.map((name) => ({ value: "node-address", name }) as const),
      ...valuesOf(ofTunnels),
    ];
    const repairable = drifted.filter(limiter.mayRepair);
    plan(repairable, ofTunnels);
    if (repairable.length > 0 || startable.free.length > 0)
      log.warn(
        {
          values: repairable.map(({ value, name }) => `${value} ${name}`.trim()),
          startable: startable.free,
        },
        "the router drifted from the applied configuration",
      );
    const findings: DriftFinding[] = [];
    if (hasPostponedSessions && canConfigure) findings.push({ code: "sessions-not-removed", facts: {} });
    if (hasOtherStates && canConfigure) findings.push({ code: "disabled-sessions-changed", facts: {} });
    if (startable.due.length > 0)
      findings.push({ code: "tunnels-retried", facts: { tunnels: startable.due.length } });
    return {
      findings: [...findings, ...describe(repairable, startable.free.length)],
      hasBirdDrifted: repairable.some(({ value }) => value === "bird"),
    };
  }

  function plan(repairable: readonly DriftedValue[], { values }: TunnelDrift): void {
    planned = [...planned, ...repairable];
    if (repairable.some(({ value }) => value === "packet-filter")) firewall.replaceNext();
    nodeAddresses.restoreNext(
      repairable.flatMap(({ value, name }) => (value === "node-address" ? name : [])),
    );
    const repairs = Array.from(values).flatMap(([asn, differing]) => {
      const ofTunnel = repairable.filter(({ name }) => name === interfaceName(asn));
      if (ofTunnel.length === 0) return [];
      const held = new Set(differing.filter((value) => ofTunnel.every((one) => one.value !== value)));
      return [[asn, { held, isRepeated: ofTunnel.every(isRepeated) }] as const];
    });
    tunnels.repairNext(new Map(repairs));
  }

  /** Whether the kernel refused the address before: no program works against it, and another try is no event. */
  const isRefused = ({ value, name }: DriftedValue) =>
    value === "node-address" && nodeAddresses.isRefused(name);

  const isRepeated = (value: DriftedValue) => limiter.contestOf(value) === "repeated";

  function describe(repairable: readonly DriftedValue[], startable: number): readonly DriftFinding[] {
    const of = (contest: ReturnType<typeof limiter.contestOf>) =>
      repairable.filter((value) => limiter.contestOf(value) === contest);
    const [refused, drifted] = [of(null).filter(isRefused), of(null).filter((value) => !isRefused(value))];
    return [
      ...describeDrifted(drifted, startable),
      ...describeDrifted(refused, 0).map(asRepeated),
      ...describeContested(of("new")),
      ...describeContested(of("repeated")).map(asRepeated),
    ];
  }

  return {
    find,
    noteRepaired: () => {
      limiter.noteRepaired(planned.filter((value) => !isRefused(value)));
      planned = [];
    },
    findings: () => [...nodeAddresses.findings(), ...describeContested(limiter.contested())],
  };
}

function asRepeated(finding: Finding): DriftFinding {
  return { ...finding, isRepeated: true };
}

function valuesOf({ values }: TunnelDrift): readonly DriftedValue[] {
  return Array.from(values).flatMap(([asn, differing]) =>
    differing.map((value) => ({ value, name: interfaceName(asn) })),
  );
}

const isOfNode = (value: DriftedValue["value"]) => ["bird", "packet-filter", "node-address"].includes(value);

function describeDrifted(drifted: readonly DriftedValue[], startable: number): readonly Finding[] {
  const namesOf = (isWanted: (value: DriftedValue["value"]) => boolean) =>
    new Set(drifted.flatMap(({ value, name }) => (isWanted(value) ? name : [])));
  const tunnels = startable + namesOf((value) => !isOfNode(value)).size;
  const addresses = namesOf((value) => value === "node-address");
  return [
    ...(tunnels > 0 ? [{ code: "tunnels-drifted", facts: { tunnels } } as const] : []),
    ...(addresses.size > 0
      ? [{ code: "node-addresses-missing", facts: { addresses: [...addresses].slice(0, maxNames) } } as const]
      : []),
    ...(namesOf((value) => value === "packet-filter").size > 0
      ? [{ code: "packet-filter-changed", facts: {} } as const]
      : []),
    ...(namesOf((value) => value === "bird").size > 0 ? [{ code: "bird-drifted", facts: {} } as const] : []),
  ];
}
