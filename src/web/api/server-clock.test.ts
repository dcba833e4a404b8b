import { afterEach, beforeEach, expect, test, vi } from "vitest";

const noon = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;

/** The server's time after answers with these `Date` headers, a second apart, to a device whose clock shows noon. */
async function nowAfter(...dates: readonly (string | null)[]): Promise<number> {
  const { learnServerTime, serverNow } = await import("./server-clock.ts");
  for (const date of dates) {
    learnServerTime(date);
    vi.advanceTimersByTime(1000);
  }
  return serverNow();
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: noon });
});
afterEach(() => {
  vi.useRealTimers();
});

const httpDate = (at: number) => new Date(at).toUTCString();

test.each([
  ["an hour ahead", noon - hour],
  ["an hour behind", noon + hour],
])("a device that is %s takes the server's time, and counts on from it", async (_, told) => {
  expect(await nowAfter(httpDate(told))).toBe(told + 1000);
});

test("an answer that says an earlier time, as one that was kept for long, changes nothing", async () => {
  expect(await nowAfter(httpDate(noon + hour), httpDate(noon - hour))).toBe(noon + hour + 2000);
});

test("a device's own time counts as long as no answer has told another", async () => {
  expect(await nowAfter(null, "yesterday")).toBe(noon + 2000);
});
