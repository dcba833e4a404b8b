import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLocalEvents } from "../../db/events.ts";
import { createLog } from "../../log.ts";
import { fixedNodes } from "../../nodes/nodes.ts";
import { createLiveEvents } from "./live-events.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const asn = "4242420001";

/** Streams of an AS with two login sessions, under fake timers. */
function scene() {
  const ended = new Set<string>();
  const gaps: Array<() => void> = [];
  const events = { ...createLocalEvents(), onResync: (listener: () => void) => void gaps.push(listener) };
  const live = createLiveEvents({
    db: undefined as never,
    profile: { domain: "example.net" },
    events,
    nodes: fixedNodes([]),
    nodeReader: undefined as never,
    clock: Date.now,
    loginSessions: { isLive: async (token) => !ended.has(token) },
    log: createLog("silent"),
    watchEveryMs: 5_000,
  });
  live.start();
  const open = (token: string) => {
    const reader = live.open({ asn, token, disconnect: () => undefined })?.getReader();
    return { read: async () => (await reader?.read())?.done, closed: () => reader?.closed };
  };
  return { ended, events, live, open, gap: () => gaps.forEach((onResync) => onResync()) };
}

const hasEnded = ({ read }: { readonly read: () => Promise<unknown> }) =>
  Promise.race([read().then(() => true), vi.advanceTimersByTimeAsync(1).then(() => false)]);

test("the end of a login session ends its streams before the next heartbeat", async () => {
  const { ended, events, open } = scene();
  const [one, two] = [open("one"), open("two")];
  expect(await Promise.all([one.read(), two.read()])).toEqual([false, false]);
  ended.add("one");
  await events.publish("sessionsEnded", { asn: "4242420002" });
  expect(await hasEnded(one)).toBe(false);
  await events.publish("sessionsEnded", { asn });
  await expect(one.closed()).resolves.toBeUndefined();
  expect(await hasEnded(two)).toBe(false);
});

test("a gap in the events between servers ends all streams, and so does closing the server", async () => {
  const { live, gap, open } = scene();
  const before = open("one");
  await before.read();
  gap();
  expect(await before.read()).toBe(true);
  const after = open("one");
  expect(await after.read()).toBe(false);
  await live[Symbol.asyncDispose]();
  expect(await after.read()).toBe(true);
  expect(await open("one").read()).toBeUndefined();
});
