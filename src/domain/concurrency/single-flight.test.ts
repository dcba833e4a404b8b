import { expect, test } from "vitest";
import { createSingleFlight, type SingleFlightOptions } from "./single-flight.ts";

/** Reads that last as long as the test says, with a clock that the test moves. */
function setUp(options: Omit<SingleFlightOptions, "maxAgeMs" | "now">) {
  let now = 0;
  const keys: string[] = [];
  let end: ((error?: Error) => void) | null = null;
  const flights = createSingleFlight(
    (key) => {
      const count = keys.push(key);
      return new Promise<number>((resolve, reject) => {
        end = (error) => (error ? reject(error) : resolve(count));
      });
    },
    { maxAgeMs: 1000, now: () => now, ...options },
  );
  return {
    ...flights,
    /** The keys of all reads so far. */
    keys,
    end: async (error?: Error) => end?.(error),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

const fromEnd = { ageFrom: "end", sharesFailures: false } as const;

test("callers share a read while it is in flight, however long it lasts", async () => {
  const { get, end, wait } = setUp({});
  const results = Array.from({ length: 100 }, () => get());
  wait(5000);
  results.push(get());
  await end();
  expect(new Set(await Promise.all(results))).toEqual(new Set([1]));
});

test.each([
  ["start", {}, 999 - 400],
  ["end", fromEnd, 999],
] as const)("a result serves callers until maxAgeMs after the %s of its read", async (_, options, lastMs) => {
  const { get, end, wait, keys } = setUp(options);
  const first = get();
  wait(400);
  await end();
  await first;
  wait(lastMs);
  expect(await get()).toBe(1);
  wait(1);
  void get();
  expect(keys).toHaveLength(2);
});

test.each([
  [true, {}, 1],
  [false, fromEnd, 2],
] as const)(
  "a failed read rejects its callers; shared with the next caller: %s",
  async (_, options, reads) => {
    const { get, end, keys } = setUp(options);
    const failed = Promise.allSettled([get(), get()]);
    await end(new Error("offline"));
    expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    get().catch(() => undefined);
    expect(keys).toHaveLength(reads);
  },
);

test("each key has its own reads, and an invalidated key is read again while its read is in flight", () => {
  const { get, invalidate, keys } = setUp({});
  const readAll = () => [get("a"), get("b"), get("a"), get()];
  void readAll();
  expect(keys).toEqual(["a", "b", ""]);
  invalidate("a");
  void readAll();
  expect(keys.slice(3)).toEqual(["a"]);
  invalidate();
  void readAll();
  expect(keys.slice(4)).toEqual([""]);
});
