import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeState } from "./describe-history.ts";

beforeEach(() => vi.stubEnv("TZ", "UTC"));
afterEach(() => vi.unstubAllEnvs());

const quarterMs = 15 * 60_000;
const dayMs = 96 * quarterMs;
const today = Date.UTC(2026, 10, 21);

/** A letter for each bucket, the oldest first: up, issues, down, no observation. The last one starts at `last`. */
function buckets(letters: string, last: number, stepMs: number) {
  return Array.from(letters, (letter, index) => ({
    from: last - (letters.length - 1 - index) * stepMs,
    ok: letter === "u" ? 15 : 0,
    issues: letter === "i" ? 15 : 0,
    down: letter === "d" ? 15 : 0,
  }));
}

test.each([
  ["OK", "uuuu", "uuuu", null],
  ["Down", "uudd", "uuud", "No response since 02:00"],
  ["Down", "udu-d-", "uuud", "No response since 02:00"],
  ["Down", "dddd", "uudd", "No response since 20 November"],
  ["Down", "uuuu", "uuuu", "No response"],
  ["Issues", "uuid", "uuuu", "Since 02:00"],
  ["Issues", "uuuu", "uuuu", null],
  [null, "uu--", "uuuu", "Last checked 01:45"],
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
