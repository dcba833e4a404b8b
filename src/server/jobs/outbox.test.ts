import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createLocalLocks } from "../db/locks.ts";
import { pino } from "pino";
import { createOutbox, type Delivery, type OutboxEntry, type OutboxQueue } from "./outbox.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Entry extends OutboxEntry {
  nextAttemptAt: number;
}

/** An outbox over entries in memory. */
function createTestOutbox(
  ids: readonly string[],
  deliver: (id: string, signal: AbortSignal) => Promise<Delivery>,
  changes: Partial<OutboxQueue<Entry>> = {},
) {
  const entries = new Map<string, Entry>(
    ids.map((id) => [id, { id, attempts: 0, createdAt: 0, nextAttemptAt: 0 }]),
  );
  const settled: string[] = [];
  const lines: string[] = [];
  const outbox = createOutbox<Entry>(
    {
      name: "test",
      label: "message",
      concurrency: 2,
      pollMs: 1_000,
      backoffMs: (attempts) => attempts * 10_000,
      shouldGiveUp: (_, { attempts }) => attempts >= 3,
      prune: async () => {},
      findDue: async (now, limit, except) =>
        [...entries.values()]
          .filter(({ id, nextAttemptAt }) => nextAttemptAt <= now && !except.includes(id))
          .slice(0, limit)
          .map(({ id }) => id),
      read: async (id, now) => {
        const entry = entries.get(id);
        return entry && entry.nextAttemptAt <= now ? entry : null;
      },
      deliver: ({ id }, signal) => deliver(id, signal),
      settle: async ({ id }, { outcome }) => {
        entries.delete(id);
        settled.push(`${id} ${outcome}`);
      },
      postpone: async (entry, { attempts, nextAttemptAt }) => {
        entries.set(entry.id, { ...entry, attempts, nextAttemptAt });
      },
      ...changes,
    },
    {
      locks: createLocalLocks(),
      clock: () => Date.now(),
      retentionClock: () => Date.now(),
      log: pino({ level: "trace" }, { write: (line) => void lines.push(line) }),
    },
  );
  onTestFinished(() => outbox[Symbol.asyncDispose]());
  return { outbox, entries, settled, lines };
}

const delivered: Delivery = { outcome: "delivered" };

test("a delivery that throws is a failed attempt, and the entry is given up after the last one", async () => {
  vi.setSystemTime(1);
  const { outbox, entries, settled, lines } = createTestOutbox(["a"], async () => {
    throw new Error("no key");
  });
  outbox.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(entries.get("a")).toMatchObject({ attempts: 1, nextAttemptAt: 10_001 });
  await vi.advanceTimersByTimeAsync(9_000);
  expect(entries.get("a")).toMatchObject({ attempts: 1 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(entries.get("a")).toMatchObject({ attempts: 2 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(settled).toEqual(["a expired"]);
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages).toEqual(["message postponed", "message postponed", "message given up"]);
});

test("a retry waits for the longer of the backoff and the receiver's time", async () => {
  vi.setSystemTime(0);
  const { outbox, entries } = createTestOutbox(["short", "long"], async (id) => ({
    outcome: "retry",
    reason: "busy",
    retryAfterMs: id === "long" ? 60_000 : 1_000,
  }));
  outbox.signal();
  await vi.advanceTimersByTimeAsync(0);
  expect(entries.get("short")).toMatchObject({ nextAttemptAt: 10_000 });
  expect(entries.get("long")).toMatchObject({ nextAttemptAt: 60_000 });
});

test("a hanging delivery occupies one place, and the other place delivers the rest", async () => {
  const hanging = Promise.withResolvers<Delivery>();
  const running = new Set<string>();
  let maxRunning = 0;
  const { outbox, settled } = createTestOutbox(["hangs", "b", "c", "d"], async (id) => {
    running.add(id);
    maxRunning = Math.max(maxRunning, running.size);
    const delivery = id === "hangs" ? await hanging.promise : delivered;
    running.delete(id);
    return delivery;
  });
  outbox.signal();
  await vi.advanceTimersByTimeAsync(0);
  expect(settled).toEqual(["b delivered", "c delivered", "d delivered"]);
  expect(maxRunning).toBe(2);
  hanging.resolve(delivered);
  await vi.advanceTimersByTimeAsync(0);
  expect(settled.at(-1)).toBe("hangs delivered");
});

test("an entry that hangs while the outbox closes stays as it was", async () => {
  const signals: AbortSignal[] = [];
  const { outbox, entries, settled } = createTestOutbox(["a"], (_, signal) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  outbox.signal();
  await vi.advanceTimersByTimeAsync(0);
  const closed = outbox[Symbol.asyncDispose]();
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(entries.get("a")).toMatchObject({ attempts: 0 });
  expect(settled).toEqual([]);
});

test("after a database error the next poll tries again", async () => {
  let fails = true;
  const prune = async () => {
    if (fails) throw new Error("connection lost");
  };
  const { outbox, settled, lines } = createTestOutbox(["a"], async () => delivered, { prune });
  outbox.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(settled).toEqual([]);
  expect(lines.join("\n")).toContain("the test queue could not be read");
  fails = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(settled).toEqual(["a delivered"]);
});
