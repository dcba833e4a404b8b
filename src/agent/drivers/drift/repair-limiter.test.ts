import { expect, test } from "vitest";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import type { DriftedValue } from "./drifted-value.ts";
import { createRepairLimiter } from "./repair-limiter.ts";

const mtu: DriftedValue = { value: "mtu", name: "dn42_4242420001" };
const others: readonly DriftedValue[] = [
  { value: "mtu", name: "dn42_4242420002" },
  { value: "addresses", name: "dn42_4242420001" },
  { value: "packet-filter", name: "" },
];

function open() {
  const clock = createManualClock();
  const limiter = createRepairLimiter(clock);
  let seconds = 0;
  /** Another program changes the value all the time. Returns when it was repaired, in seconds since the start. */
  async function fight(value: DriftedValue, forSeconds: number): Promise<readonly number[]> {
    const repairs: number[] = [];
    for (const end = seconds + forSeconds; seconds < end;) {
      await clock.advance(10_000);
      seconds += 10;
      if (!limiter.mayRepair(value)) continue;
      limiter.noteRepaired([value]);
      repairs.push(seconds);
    }
    return repairs;
  }
  return { clock, limiter, fight };
}

test("after five repairs in ten minutes, a value is repaired once a minute, and no other value is limited", async () => {
  const { limiter, fight } = open();
  expect(await fight(mtu, 50)).toEqual([10, 20, 30, 40, 50]);
  expect([limiter.contested(), limiter.contestOf(mtu)]).toEqual([[mtu], "new"]);
  expect(await fight(mtu, 60)).toEqual([110]);
  expect(limiter.contestOf(mtu)).toBe("repeated");
  expect(await fight(mtu, 600)).toEqual([170, 230, 290, 350, 410, 470, 530, 590, 650, 710]);
  expect(limiter.contestOf(mtu)).toBe("repeated");
  for (const value of others) {
    expect([limiter.mayRepair(value), limiter.contestOf(value)]).toEqual([true, null]);
  }
  for (const value of others) expect(await fight(value, 20)).toHaveLength(2);
});

test("a contest ends when fewer than five repairs are left of the last ten minutes, and the next one is new", async () => {
  const { clock, limiter, fight } = open();
  await fight(mtu, 110);
  // The repairs were after 10 to 50 and after 110 s.
  await clock.advance(510_000 - 1);
  expect(limiter.contested()).toEqual([mtu]);
  await clock.advance(10_000 + 1);
  expect([limiter.contested(), limiter.contestOf(mtu), limiter.mayRepair(mtu)]).toEqual([[], null, true]);
  limiter.noteRepaired([mtu, mtu]);
  expect([limiter.contested(), limiter.contestOf(mtu)]).toEqual([[mtu], "new"]);
});

test("repairs that last longer than two minutes each are never contested", async () => {
  const { clock, limiter } = open();
  for (let repair = 0; repair < 20; repair += 1) {
    expect(limiter.mayRepair(mtu)).toBe(true);
    limiter.noteRepaired([mtu]);
    expect(limiter.contested()).toEqual([]);
    await clock.advance(150_000);
  }
});
