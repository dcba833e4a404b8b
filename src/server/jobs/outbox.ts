/**
 * Delivers entries that wait in a database table: mails and push messages.
 *
 * Invariants:
 * - At most one server delivers an entry at a time. It holds the lock `<name> <id>`, reads the entry again under the
 *   lock, and records the result before it releases the lock. If a server dies after the delivery and before the
 *   record, the entry is delivered again.
 * - A server runs at most `concurrency` deliveries at once. A receiver that hangs occupies one of them until the
 *   delivery's own timeout.
 * - A server with a free slot skips entries that other servers have locked, so it never waits for their receivers.
 */
import type { Logger } from "pino";
import type { Locks } from "../db/locks.ts";
import { createJobLoop, type JobLoop, type JobRun } from "./job-loop.ts";

export interface OutboxEntry {
  readonly id: string;
  /** How many attempts have failed. */
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What log lines say about a delivery. It must not contain secrets. */
type LogFacts = Readonly<Record<string, string | number>>;

/**
 * `rejected`: the receiver will never accept this entry. `gone`: the receiver no longer exists. `obsolete`: nothing was
 * sent, because the entry is no longer needed.
 */
export type Delivery =
  | { readonly outcome: "delivered" | "gone" | "obsolete"; readonly facts?: LogFacts }
  | { readonly outcome: "rejected"; readonly reason: string; readonly facts?: LogFacts }
  | {
      readonly outcome: "retry";
      readonly reason: string;
      /** How long the receiver wants us to wait; null if it named no time. */
      readonly retryAfterMs: number | null;
      readonly facts?: LogFacts;
    };

/** Why an entry leaves the queue; `expired` after too many attempts or too much time. */
export type FinalOutcome = Exclude<Delivery["outcome"], "retry"> | "expired";

/** How an entry leaves the queue. */
export interface Settlement {
  readonly outcome: FinalOutcome;
  /** The receiver's words; null for an outcome without a failed attempt. */
  readonly reason: string | null;
  /** By the server's clock. */
  readonly at: number;
}

export interface FailedAttempt {
  /** This attempt included. */
  readonly attempts: number;
  /** By the retention clock. */
  readonly retentionTime: number;
  readonly pauseMs: number;
  readonly nextAttemptAt: number;
  readonly reason: string;
}

/** A table of entries and the way to deliver them. */
export interface OutboxQueue<Entry extends OutboxEntry> {
  /** Prefix of the locks. */
  readonly name: string;
  /** What log lines call an entry. */
  readonly label: string;
  readonly concurrency: number;
  readonly pollMs: number;
  /** The pause after the n-th failed attempt, from 1. */
  readonly backoffMs: (attempts: number) => number;
  /** Whether an entry is dropped instead of postponed. */
  readonly shouldGiveUp: (entry: Entry, attempt: FailedAttempt) => boolean;
  /** Deletes entries that are no longer needed at the time of the retention clock. */
  readonly prune: (retentionTime: number) => Promise<void>;
  /** Ids of due entries in the order in which they get a free place. */
  readonly findDue: (now: number, limit: number, except: readonly string[]) => Promise<readonly string[]>;
  /** Called when an entry gets a place. Null if it is gone or not due. */
  readonly read: (id: string, now: number) => Promise<Entry | null>;
  /** Delivers an entry. A rejection counts as a failed attempt. */
  readonly deliver: (entry: Entry, signal: AbortSignal) => Promise<Delivery>;
  /** Records that an entry leaves the queue. */
  readonly settle: (entry: Entry, settlement: Settlement) => Promise<void>;
  readonly postpone: (entry: Entry, attempt: FailedAttempt) => Promise<void>;
}

export interface OutboxDeps {
  readonly locks: Locks;
  readonly clock: () => number;
  readonly retentionClock: () => number;
  readonly log: Logger;
}

/** How long a closing server waits for running deliveries. Entries without a result then stay due. */
const closeGraceMs = 2_000;

const logLines = {
  delivered: ["info", "delivered"],
  gone: ["info", "dropped: the receiver is gone"],
  obsolete: ["info", "dropped: it is no longer needed"],
  retry: ["warn", "postponed"],
  rejected: ["warn", "rejected"],
  expired: ["error", "given up"],
} as const;

/** Creates the loop that delivers the entries of a queue. */
export function createOutbox<Entry extends OutboxEntry>(
  queue: OutboxQueue<Entry>,
  { locks, clock, retentionClock, log }: OutboxDeps,
): JobLoop {
  const { name, label, concurrency } = queue;
  const abandoning = new AbortController();
  const inFlight = new Map<string, Promise<void>>();

  const loop = createJobLoop({
    pollMs: queue.pollMs,
    run: startDue,
    onError: (error) => log.error({ err: error }, `the ${name} queue could not be read`),
  });

  /** Starts due deliveries until no place is free, and does not wait for them. */
  async function startDue({ closing }: JobRun): Promise<void> {
    await queue.prune(retentionClock());
    let free = concurrency - inFlight.size;
    const tried: string[] = [];
    while (free > 0) {
      const due = await queue.findDue(clock(), concurrency, [...inFlight.keys(), ...tried]);
      if (due.length === 0) return;
      for (const id of due) {
        if (free === 0 || closing.aborted) return;
        if (await start(id)) free -= 1;
        tried.push(id);
      }
    }
  }

  /** Resolves with true when the delivery has started, with false if another server holds the lock. */
  async function start(id: string): Promise<boolean> {
    const started = Promise.withResolvers<true>();
    const locked = locks.tryExclusive(`${name} ${id}`, () => {
      started.resolve(true);
      return attempt(id);
    });
    inFlight.set(id, finish(id, locked));
    return Promise.race([started.promise, locked]);
  }

  async function finish(id: string, locked: Promise<boolean>): Promise<void> {
    const hadLock = await locked.catch((error: unknown) => {
      log.error({ err: error, [name]: id }, `a ${label} could not be processed`);
      return false;
    });
    inFlight.delete(id);
    // Others may wait for the free place. Not after an error, which would find the same entry again at once.
    if (hadLock) loop.signal();
  }

  async function attempt(id: string): Promise<void> {
    const entry = await queue.read(id, clock());
    if (!entry) return;
    const delivery = await deliver(entry);
    if (!delivery) return;
    const attempts = entry.attempts + 1;
    const outcome = delivery.outcome === "retry" ? await postpone(entry, delivery) : delivery.outcome;
    if (outcome !== "retry") {
      const reason = "reason" in delivery ? delivery.reason : null;
      await queue.settle(entry, { outcome, reason, at: clock() });
    }
    const [level, message] = logLines[outcome];
    log[level]({ [name]: id, attempts, ...delivery.facts }, `${label} ${message}`);
  }

  /** Null if the server closed before there was a result; the entry stays due then. */
  async function deliver(entry: Entry): Promise<Delivery | null> {
    const { signal } = abandoning;
    const aborted = Promise.withResolvers<null>();
    const onAbort = () => aborted.resolve(null);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const delivery = await Promise.race([queue.deliver(entry, signal), aborted.promise]);
      return signal.aborted && delivery?.outcome === "retry" ? null : delivery;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { outcome: "retry", reason, retryAfterMs: null, facts: { reason } };
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Returns "expired" if the entry is given up instead. */
  async function postpone(
    entry: Entry,
    { reason, retryAfterMs }: Extract<Delivery, { outcome: "retry" }>,
  ): Promise<"retry" | "expired"> {
    const attempts = entry.attempts + 1;
    const pauseMs = Math.max(queue.backoffMs(attempts), retryAfterMs ?? 0);
    const nextAttemptAt = clock() + pauseMs;
    const attempted = { attempts, retentionTime: retentionClock(), pauseMs, nextAttemptAt, reason };
    if (queue.shouldGiveUp(entry, attempted)) return "expired";
    await queue.postpone(entry, attempted);
    return "retry";
  }

  return {
    signal: () => loop.signal(),
    start: () => loop.start(),
    async [Symbol.asyncDispose]() {
      const grace = setTimeout(() => abandoning.abort(), closeGraceMs);
      await loop[Symbol.asyncDispose]();
      await Promise.all(inFlight.values());
      clearTimeout(grace);
    },
  };
}
