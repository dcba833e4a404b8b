import { expect, test } from "vitest";
import { describeUptime } from "./describe-uptime.ts";

const halfHourMs = 30 * 60_000;
const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
const formatTime = (from: number, to: number | null) =>
  to === null ? `from ${clock(from)}` : `between ${clock(from)} and ${clock(to)}`;
const describe = (shares: ReadonlyArray<number | null>) =>
  describeUptime({ shares, from: 0, stepMs: halfHourMs }, formatTime);
const day = (changed: Readonly<Record<number, number | null>> = {}) =>
  Array.from({ length: 48 }, (_, index) => (index in changed ? (changed[index] ?? null) : 1));

test.each([
  ["all of it up", day(), "Up 100% of the last 24 hours"],
  ["an outage", day({ 31: 0 }), "Up 97.92% of the last 24 hours, down once between 15:30 and 16:00"],
  [
    "an outage of two half hours",
    day({ 2: 0.5, 3: 0 }),
    "Up 96.88% of the last 24 hours, down once between 01:00 and 02:00",
  ],
  [
    "two outages",
    day({ 2: 0, 4: 0 }),
    "Up 95.83% of the last 24 hours, down 2 times, last between 02:00 and 02:30",
  ],
  ["an outage that goes on", day({ 47: 0 }), "Up 97.92% of the last 24 hours, down once from 23:30"],
  ["gaps", day({ 0: null, 1: null }), "Up 100% of the last 24 hours (95.83% monitored)"],
  [
    "an outage that almost cannot be seen",
    day({ 5: 0.9999 }),
    "Up 99.99% of the last 24 hours, down once between 02:30 and 03:00",
  ],
  ["no observation", day().map(() => null), "No data"],
])("a strip with %s", (_, shares, text) => {
  expect(describe(shares)).toBe(text);
});
