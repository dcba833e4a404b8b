import type { Finding } from "../../domain/findings/findings.ts";
import type { EventLog } from "../events/event-log.ts";
import type { DriftFinding, RouterBusyError } from "../drivers/router.ts";
import { toOutput } from "../router-output.ts";
import type { StepLog } from "./steps.ts";

/** Whether the router runs the applied set, as far as the agent knows, and the events about it. */
export interface SyncState {
  readonly isInSync: () => boolean;
  /** Whether the router has run the applied set since the agent started. */
  readonly hasBeenInSync: () => boolean;
  /** Why the router may not run the applied set; empty while it does. */
  readonly findings: () => readonly Finding[];
  readonly noteDrift: (drift: readonly DriftFinding[]) => void;
  /** A change ended with an error, so that what the router runs is unknown. */
  readonly noteUnknown: (error: unknown) => void;
  readonly noteRepairFailed: (error: unknown) => void;
  /** A repair waits for the operator. It is repeated, so this is no event. */
  readonly noteRepairWaits: (error: RouterBusyError) => void;
  /**
   * The router runs the applied set.
   *
   * @param changed the AS numbers whose peerings were changed at the same time; their tunnels are no repairs
   */
  readonly noteInSync: (steps: StepLog, changed?: readonly string[]) => void;
}

interface OutOfSync {
  readonly findings: readonly Finding[];
  /** What was wrong first. Null before the first set of this process. */
  readonly causes: readonly DriftFinding[] | null;
}

/** Creates the state of an agent that has just started. */
export function createSyncState(events: Pick<EventLog, "record">): SyncState {
  let outOfSync: OutOfSync | null = {
    findings: [{ code: "not-applied-yet", facts: {} }],
    causes: null,
  };
  let hasBeenInSync = false;

  return {
    isInSync: () => outOfSync === null,
    hasBeenInSync: () => hasBeenInSync,
    findings: () => outOfSync?.findings ?? [],
    noteDrift: (drift) => {
      outOfSync = { findings: [{ code: "router-drifted", facts: {} }, ...drift], causes: drift };
    },
    noteUnknown: (error) => {
      const findings = [failure("router-state-unknown", error)];
      outOfSync = { findings, causes: findings };
    },
    noteRepairFailed: (error) => {
      const findings = [failure("router-not-restored", error)];
      outOfSync = { findings, causes: outOfSync?.causes ?? findings };
      events.record([{ kind: "router-repair-failed", asn: null, findings }]);
    },
    noteRepairWaits: ({ finding }) => {
      const findings: Finding[] = [{ code: "router-repair-waits", facts: {} }, finding];
      outOfSync = { findings, causes: outOfSync?.causes ?? null };
    },
    noteInSync: (steps, changed = []) => {
      const before = outOfSync;
      outOfSync = null;
      hasBeenInSync = true;
      if (before === null) return;
      const tunnels = steps.repairedTunnels().filter((asn) => !changed.includes(asn));
      const isRetry = before.causes?.every(({ code }) => code === "tunnels-retried") ?? false;
      // Tunnels that cannot be set up are tried again for as long as that lasts.
      if (isRetry && tunnels.length === 0) return;
      if (before.causes !== null) {
        const findings = before.causes.filter(({ isRepeated = false }) => !isRepeated);
        if (findings.length === 0 && tunnels.length === 0) return;
        events.record([
          { kind: "router-repaired", asn: null, findings },
          ...tunnels.map((asn) => ({ kind: "tunnel-repaired", asn }) as const),
        ]);
        return;
      }
      const done = steps.shared();
      if (tunnels.length === 0 && done.length === 0) return;
      const findings: Finding[] =
        tunnels.length === 0 ? [] : [{ code: "tunnels-drifted", facts: { tunnels: tunnels.length } }];
      events.record([
        { kind: "router-restored", asn: null, findings, steps: done },
        ...tunnels.map((asn) => ({ kind: "tunnel-restored", asn }) as const),
      ]);
    },
  };
}

function failure(code: "router-state-unknown" | "router-not-restored", error: unknown): Finding {
  return { code, facts: { output: toOutput(errorMessage(error)) } };
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
