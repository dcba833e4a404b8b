import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dayMs, quarterMs } from "#contract/history.ts";
import { describeState } from "./describe-history.ts";

beforeEach(() => vi.stubEnv("TZ", "UTC"));
afterEach(() => vi.unstubAllEnvs());

const today = Date.UTC(2026, 10, 21);

/** A letter for each bucket, the oldest first: up, issues, no response ("d"), some responses ("m"), no observation. The last one starts at `last`. */
function buckets(letters: string, last: number, stepMs: number) {
  return Array.from(letters, (letter, index) => ({
    from: last - (letters.length - 1 - index) * stepMs,
    ok: letter === "u" ? 15 : letter === "m" ? 9 : 0,
    issues: letter === "i" ? 15 : 0,
    down: letter === "d" ? 15 : letter === "m" ? 6 : 0,
  }));
}

test.each([
  ["OK", "uuuu", "uuuu", null],
  ["Down", "uudd", "uuud", "No response since 02:00"],
  ["Down", "uumd", "uuud", "No response since before 02:15"],
  ["Down", "udu-d-", "uuud", "No response since 02:00"],
  ["Down", "dddd", "uudd", "No response since 20 November"],
  ["Down", "uuuu", "uuuu", "No response"],
  ["Issues", "uuid", "uuuu", "Since 02:00"],
  ["Issues", "uuuu", "uuuu", null],
  [null, "uu--", "uuuu", "Last checked before 02:00"],
  [null, "----", "uud-", "Last checked 20 November"],
  [null, "----", "----", "Not checked yet"],
  ["Maintenance", "uuuu", "uuuu", null],
])("%s after %s and %s: %s", (now, quarters, days, text) => {
  const history = {
    node: "de01",
    now,
    quarters: buckets(quarters, today + 9 * quarterMs, quarterMs),
    days: buckets(days, today, dayMs),
  };
  expect(describeState(history)).toBe(text);
});

test.each([
  ["Down", today + 2 * 3_600_000 + 7 * 60_000, "No response since 02:07"],
  ["Issues", today + 2 * 3_600_000 + 7 * 60_000, "Since 02:07"],
  ["Down", today - 2 * dayMs, "No response since 19 November"],
  ["OK", today, null],
])("%s since %d has the measured minute: %s", (now, since, text) => {
  const quarters = buckets("uumd", today + 9 * quarterMs, quarterMs);
  expect(describeState({ node: "de01", now, since, quarters, days: [] })).toBe(text);
});
