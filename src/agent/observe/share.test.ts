import { expect, test } from "vitest";
import { createManualClock } from "../fixtures/manual-clock.ts";
import { share, shareEach } from "./share.ts";

test("a hundred who look within a second cost one reading", async () => {
  const clock = createManualClock();
  let readings = 0;
  const shared = share(clock, async () => (readings += 1));
  expect(new Set(await Promise.all(Array.from({ length: 100 }, shared.read)))).toEqual(new Set([1]));
  await clock.advance(999);
  expect(await shared.read()).toBe(1);
  await clock.advance(1);
  expect(await shared.read()).toBe(2);
  shared.forget();
  expect(await shared.read()).toBe(3);
});

test("a slow reading is shared for as long as it runs", async () => {
  const clock = createManualClock();
  let readings = 0;
  const shared = share(clock, async () => {
    readings += 1;
    await clock.sleep(5000);
    return readings;
  });
  const first = shared.read();
  await clock.advance(4000);
  const second = shared.read();
  await clock.advance(1000);
  expect([await first, await second, readings]).toEqual([1, 1, 1]);
});

test("a failure is told to those who waited for it, and the next look tries again", async () => {
  const clock = createManualClock();
  const answers = [Promise.reject(new Error("offline")), Promise.resolve("there")];
  const shared = share(clock, () => answers.shift() ?? Promise.reject(new Error("asked too often")));
  await expect(Promise.all([shared.read(), shared.read()])).rejects.toThrow("offline");
  await clock.advance(0);
  expect(await shared.read()).toBe("there");
});

test("each key is read for itself", async () => {
  const clock = createManualClock();
  const read: string[] = [];
  const shared = shareEach(clock, async (key) => read.push(key));
  await Promise.all([shared("a"), shared("b"), shared("a")]);
  await clock.advance(61_000);
  await shared("b");
  expect(read).toEqual(["a", "b", "b"]);
});
