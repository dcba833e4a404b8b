/**
 * What the agent does by itself, for the server's audit log.
 *
 * Invariants:
 * - Recording never fails and is never waited for: a full disk stops no repair. Events that cannot be stored stay in memory,
 *   and the next event or call stores them.
 * - At most `maxEvents` are stored; the oldest are dropped.
 * - Of each kind and AS at most one event an hour is listed. What happens meanwhile is counted, and listed as one event
 *   after the hour.
 * - An ID is never used again, also if the state folder is lost or restored from a copy.
 */
import { randomUUID } from "node:crypto";
import {
  type AgentEvent,
  type AgentEventKind,
  maxEventsPerCall,
} from "../../contract/call-tables/agent-event-calls.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import type { Step } from "../../domain/findings/steps.ts";
import type { Clock } from "../clock.ts";
import { createExclusive } from "../exclusive.ts";
import type { Log } from "../log.ts";
import { createThrottledWarning } from "../throttled-warning.ts";
import type { EventStore, EventWindow, StoredEvents } from "./event-file.ts";

export interface NewEvent {
  readonly kind: AgentEventKind;
  /** Null if it concerns the whole node. */
  readonly asn: string | null;
  /** As in the contract's `agentEvent`. */
  readonly address?: string;
  readonly findings?: readonly Finding[];
  readonly steps?: readonly Step[];
}

export interface EventLog extends AsyncDisposable {
  readonly record: (events: readonly NewEvent[]) => void;
  /** Returns the events after the one with this ID, or from the oldest one if the log does not have it. */
  readonly read: (after: string | null) => { readonly now: number; readonly events: readonly AgentEvent[] };
}

export interface EventLogOptions {
  readonly store: EventStore;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "warn" | "error">;
}

export const maxEvents = 1_000;
const windowMs = 3_600_000;
const maxRepeats = 1_000_000;

/** Opens the log. If the stored events cannot be read, it starts without them. */
export async function openEventLog({ store, clock, log }: EventLogOptions): Promise<EventLog> {
  const exclusive = createExclusive();
  const warnUnsaved = createThrottledWarning(log, clock, "the agent's events could not be saved");
  const stored = await loadEvents(store, log);
  let { events, lastNumber } = stored;
  const windows = new Map(stored.windows.map((window) => [keyOf(window), window]));
  let hasChanged = false;
  const now = () => Math.round(clock.now());

  function list(event: Omit<EventWindow, "since">): void {
    const { kind, asn, at, repeats, address, findings, steps } = event;
    lastNumber += 1;
    const listed = { id: randomUUID(), number: lastNumber, at, kind, asn, repeats, address, findings, steps };
    events = [...events, listed].slice(-maxEvents);
  }

  /** Lists the counted repeats of the windows that are over. */
  function closeWindows(): void {
    const time = now();
    for (const [key, window] of windows) {
      const age = time - window.since;
      // The system's clock may have been set back while the agent was stopped.
      if (age >= 0 && age < windowMs) continue;
      if (window.repeats > 0) list(window);
      if (window.repeats > 0) windows.set(key, { ...window, since: time, repeats: 0 });
      else windows.delete(key);
      hasChanged = true;
    }
  }

  function recordOne({ kind, asn, address, findings = [], steps = [] }: NewEvent): void {
    const at = now();
    const facts = { address: address ?? null, findings, steps };
    const key = keyOf({ kind, asn });
    const window = windows.get(key);
    if (!window) list({ kind, asn, at, repeats: 0, ...facts });
    const repeats = window ? Math.min(window.repeats + 1, maxRepeats) : 0;
    windows.set(key, { kind, asn, since: window?.since ?? at, repeats, at, ...facts });
  }

  const save = () =>
    exclusive(async () => {
      if (!hasChanged) return;
      hasChanged = false;
      try {
        await store.save({ events: [...events], windows: [...windows.values()], lastNumber });
      } catch (error) {
        hasChanged = true;
        warnUnsaved({ err: error });
      }
    });

  return {
    record: (recorded) => {
      if (recorded.length === 0) return;
      closeWindows();
      recorded.forEach(recordOne);
      hasChanged = true;
      void save();
    },
    read: (after) => {
      closeWindows();
      void save();
      const start = events.findIndex(({ id }) => id === after) + 1;
      return { now: now(), events: events.slice(start, start + maxEventsPerCall) };
    },
    [Symbol.asyncDispose]: save,
  };
}

async function loadEvents(store: EventStore, log: EventLogOptions["log"]): Promise<StoredEvents> {
  try {
    const stored = await store.load();
    if (stored !== null) return stored;
  } catch (error) {
    log.error({ err: error }, "the agent's earlier events cannot be read; it starts a new list");
  }
  return { events: [], windows: [], lastNumber: 0 };
}

function keyOf({ kind, asn }: Pick<AgentEvent, "kind" | "asn">): string {
  return `${kind} ${asn ?? ""}`;
}
