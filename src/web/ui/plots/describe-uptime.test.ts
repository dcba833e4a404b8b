import { expect, test } from "vitest";
import { describeUptime } from "./describe-uptime.ts";

const halfHourMs = 30 * 60_000;
const formatTime = (at: number) => `at ${new Date(at).toISOString().slice(11, 16)}`;
const describe = (shares: ReadonlyArray<number | null>) =>
  describeUptime({ shares, from: 0, stepMs: halfHourMs }, formatTime);
const day = (changed: Readonly<Record<number, number | null>> = {}) =>
  Array.from({ length: 48 }, (_, index) => (index in changed ? (changed[index] ?? null) : 1));

test.each([
  ["all of it up", day(), "Up 100% of the last 24 hours"],
  ["an outage", day({ 31: 0 }), "Up 97.92% of the last 24 hours, down once at 15:30"],
  [
    "an outage of two half hours",
    day({ 2: 0.5, 3: 0 }),
    "Up 96.88% of the last 24 hours, down once at 01:00",
  ],
  ["two outages", day({ 2: 0, 4: 0 }), "Up 95.83% of the last 24 hours, down 2 times, last at 02:00"],
  ["gaps", day({ 0: null, 1: null }), "Up 100% of the last 24 hours (95.83% monitored)"],
  [
    "an outage that almost cannot be seen",
    day({ 5: 0.9999 }),
    "Up 99.99% of the last 24 hours, down once at 02:30",
  ],
  ["no observation", day().map(() => null), "No data"],
])("a strip with %s", (_, shares, text) => {
  expect(describe(shares)).toBe(text);
});
