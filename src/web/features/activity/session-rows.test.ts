import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { maxSessionChanges } from "#contract/history.ts";
import { listSessionRows } from "./session-rows.ts";

beforeEach(() => vi.stubEnv("TZ", "UTC"));
afterEach(() => vi.unstubAllEnvs());

const minute = 60_000;
const noon = Date.UTC(2026, 10, 23, 12);

/** "-" ended, "+" became Established: the minutes after noon. */
const changesOf = (minutes: ReadonlyArray<readonly [number, "-" | "+"]>, node = "de01") =>
  minutes.map(([after, sign]) => ({ node, families: ["IPv4"], at: noon + after * minute, up: sign === "+" }));

const textsOf = (changes: Parameters<typeof listSessionRows>[0]) =>
  listSessionRows(changes, (node) => node).map(({ at, text }) => [(at - noon) / minute, text]);

test.each([
  ["its end", [[2, "-"]], [[2, "The IPv4 session on de01 ended."]]],
  ["its first time", [[2, "+"]], [[2, "The IPv4 session on de01 became Established."]]],
  [
    "a gap",
    [
      [2, "-"],
      [5, "+"],
    ],
    [[5, "The IPv4 session on de01 ended at 12:02 and was Established again."]],
  ],
  [
    "an end soon after it was set up",
    [
      [2, "+"],
      [5, "-"],
    ],
    [[5, "The IPv4 session on de01 became Established at 12:02 and ended."]],
  ],
  [
    "a long time between two changes",
    [
      [2, "-"],
      [90, "+"],
    ],
    [
      [2, "The IPv4 session on de01 ended."],
      [90, "The IPv4 session on de01 became Established."],
    ],
  ],
  [
    "flapping until it stays down, the newest first",
    [
      [40, "-"],
      [30, "+"],
      [20, "-"],
      [10, "+"],
      [2, "-"],
    ],
    [[40, "The IPv4 session on de01 ended 3 times, 12:02 to 12:40, and stayed down."]],
  ],
] as const)("a session with %s", (_, changes, rows) => {
  expect(textsOf(changesOf(changes))).toEqual(rows);
});

test("sessions and days are apart", () => {
  const changes = [
    ...changesOf([
      [718, "-"],
      [722, "+"],
    ]),
    ...changesOf([[719, "-"]], "ny01"),
  ];
  expect(textsOf(changes)).toEqual([
    [718, "The IPv4 session on de01 ended."],
    [719, "The IPv4 session on ny01 ended."],
    [722, "The IPv4 session on de01 became Established."],
  ]);
});

test("the oldest row says that there may be more if the response has as many changes as it may have", () => {
  const changes = changesOf(
    Array.from(
      { length: maxSessionChanges },
      (_, index) => [index / 10, index % 2 === 0 ? "-" : "+"] as const,
    ),
  );
  expect(textsOf(changes)).toEqual([
    [19.9, "The IPv4 session on de01 ended at least 100 times, 12:00 to 12:19."],
  ]);
});
