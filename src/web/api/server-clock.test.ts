import { afterEach, beforeEach, expect, test, vi } from "vitest";

const noon = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;

/** The server's time after responses with these `Date` headers, a second apart, on a device whose clock shows noon. */
async function nowAfter(...dates: readonly (string | null)[]): Promise<number> {
  const { recordServerTime, serverNow } = await import("./server-clock.ts");
  for (const date of dates) {
    recordServerTime(date);
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
])("a device that is %s takes the server's time and continues from it", async (_, serverTime) => {
  expect(await nowAfter(httpDate(serverTime))).toBe(serverTime + 1000);
});

test("a response with an earlier time, such as a cached one, changes nothing", async () => {
  expect(await nowAfter(httpDate(noon + hour), httpDate(noon - hour))).toBe(noon + hour + 2000);
});

test("the device's own time is used until a response contains a time", async () => {
  expect(await nowAfter(null, "yesterday")).toBe(noon + 2000);
});
