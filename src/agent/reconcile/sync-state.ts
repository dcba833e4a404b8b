import type { EventLog } from "../events/event-log.ts";
import type { StepLog } from "./steps.ts";

/** Whether the router runs the applied set, as far as the agent knows, and the events about it. */
export interface SyncState {
  /** Why the router may not run the applied set, a sentence; null while it does. */
  readonly reason: () => string | null;
  readonly noteDrift: (drift: readonly string[]) => void;
  /** A change ended with an error, so that what the router runs is unknown. */
  readonly noteUnknown: (error: unknown) => void;
  readonly noteRepairFailed: (error: unknown) => void;
  /** A repair waits for the operator. It is repeated, so this is no event. */
  readonly noteRepairWaits: (error: unknown) => void;
  /**
   * The router runs the applied set.
   *
   * @param changed the AS numbers whose peerings were changed at the same time; their tunnels are no repairs
   */
  readonly noteInSync: (steps: StepLog, changed?: readonly string[]) => void;
}

interface OutOfSync {
  readonly reason: string;
  /** What was wrong first, for the operator. Null before the first set of this process. */
  readonly cause: string | null;
}

/** Creates the state of an agent that has just started. */
export function createSyncState(events: Pick<EventLog, "record">): SyncState {
  let outOfSync: OutOfSync | null = {
    reason: "The confirmed configuration has not been applied since the agent started.",
    cause: null,
  };

  return {
    reason: () => outOfSync?.reason ?? null,
    noteDrift: (drift) => {
      const cause = drift.join(" ");
      outOfSync = {
        reason: `The router drifted from the confirmed configuration, which is being applied again. ${cause}`,
        cause,
      };
    },
    noteUnknown: (error) => {
      const message = errorMessage(error);
      outOfSync = {
        reason: `The router may not run the confirmed configuration: ${message}`,
        cause: `A change ended with an error: ${message}`,
      };
    },
    noteRepairFailed: (error) => {
      const message = errorMessage(error);
      outOfSync = {
        reason: `The router does not run the confirmed configuration: ${message}`,
        cause: outOfSync?.cause ?? `It could not be applied when the agent started: ${message}`,
      };
      events.record([{ kind: "router-repair-failed", asn: null, detail: message }]);
    },
    noteRepairWaits: (error) => {
      outOfSync = {
        reason: `The router may not run the confirmed configuration. ${errorMessage(error)}`,
        cause: outOfSync?.cause ?? null,
      };
    },
    noteInSync: (steps, changed = []) => {
      const before = outOfSync;
      outOfSync = null;
      if (before === null) return;
      const tunnels = steps.repairedTunnels().filter((asn) => !changed.includes(asn));
      if (before.cause !== null) {
        events.record([
          { kind: "router-repaired", asn: null, detail: before.cause },
          ...tunnels.map((asn) => ({ kind: "tunnel-repaired", asn, detail: "" }) as const),
        ]);
        return;
      }
      const done = [
        ...(tunnels.length === 0
          ? []
          : [`Tunnels that were missing or had been changed: ${tunnels.length}.`]),
        ...steps.shared(),
      ];
      if (done.length === 0) return;
      events.record([
        { kind: "router-restored", asn: null, detail: done.join(" ") },
        ...tunnels.map((asn) => ({ kind: "tunnel-restored", asn, detail: "" }) as const),
      ]);
    },
  };
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
