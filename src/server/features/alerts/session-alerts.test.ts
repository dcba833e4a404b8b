import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import type { SessionChange } from "../../../contract/push.ts";
import {
  type AlertState,
  alertState,
  forgetLatest,
  mostChanges,
  nothingSeen,
  observeSession,
  type Seen,
  windowMs,
} from "./session-alerts.ts";

const minuteMs = 60_000;

interface Told {
  readonly tell: SessionChange;
  /** When it was told. */
  readonly at: number;
  readonly since: number;
}

/** `away`: nobody looked for a while before this. */
type Looked = Seen | null | "away";

/** What is told of observations, each with the milliseconds since the one before. */
function run(observations: ReadonlyArray<readonly [Looked, number]>, from: AlertState = nothingSeen) {
  let state = from;
  let at = 0;
  const told: Told[] = [];
  for (const [seen, after] of observations) {
    at += after;
    if (seen === "away") {
      state = forgetLatest(state);
      continue;
    }
    const step = observeSession(state, seen, at);
    // What the database keeps is the same.
    state = v.parse(alertState, JSON.parse(JSON.stringify(step.state)));
    if (step.tell) told.push({ tell: step.tell.change, at, since: step.tell.at });
  }
  return { told, state };
}

const letters: Readonly<Record<string, Looked>> = { u: "up", d: "down", "?": null, "-": "away" };

/** Minute by minute: `u` up, `d` down, `?` not to be told, `-` nobody looked. */
function minutes(text: string): Array<readonly [Looked, number]> {
  return Array.from(text, (letter) => [letters[letter] ?? null, minuteMs]);
}

/** What is told and at which minute, with that since when it is so where it is another. */
function telling(text: string): string {
  return run(minutes(text))
    .told.map(({ tell, at, since }) => {
      const from = since === at ? "" : ` since ${since / minuteMs}`;
      return `${tell} ${at / minuteMs}${from}`;
    })
    .join(", ");
}

const stable = (letter: string) => letter.repeat(40);

test.each([
  ["what was up and is down at two looks in a row is told", "uudd", "down 4 since 3"],
  ["once, for as long as it lasts", `uu${stable("d")}`, "down 4 since 3"],
  ["what comes back is told after two looks", "uudduu", "down 4 since 3, up 6 since 5"],
  ["one look is nothing", "uududuudu", ""],
  ["what was never up is not news, nor is that it comes up", `${stable("d")}uuu`, ""],
  ["nothing is believed after one look up", `ud${stable("d")}`, ""],
  ["a look that cannot tell ends no row of two, and begins none", "uu?d?d?d", ""],
  ["a gap hides nothing for long", "uu??dd", "down 6 since 5"],
  ["what was seen before a gap counts for since when", "uud?dd", "down 6 since 3"],
  ["a gap while it is down changes nothing", "uudd???dd", "down 4 since 3"],
  ["before an absence and after it are no row of two", "uud-du", ""],
  ["and what was before it is not known to have lasted", "uud-dd", "down 6 since 5"],
  [
    "after three changes it is unsteady, and then it is silent",
    "uudduudduudduudd",
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10",
  ],
  [
    "until it held for half an hour: then it is what it is now, and since when",
    `uudduudduu${stable("d")}`,
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10, down 41 since 11",
  ],
  [
    "which may be up",
    `uudduudduudd${stable("u")}`,
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10, up 43 since 13",
  ],
  [
    "a look that cannot tell does not begin the half hour anew",
    `uudduudduu${"d".repeat(20)}?${stable("d")}`,
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10, down 41 since 11",
  ],
  [
    "an absence does",
    `uudduudduu${"d".repeat(20)}-${stable("d")}`,
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10, down 62 since 32",
  ],
  [
    "changes that are far apart are told each",
    `uudd${stable("u")}dd${stable("u")}dd`,
    "down 4 since 3, up 6 since 5, down 46 since 45, up 48 since 47, down 88 since 87",
  ],
])("%s", (_, looks, told) => {
  expect(telling(looks)).toBe(told);
});

test("where nothing changed there is nothing to write", () => {
  const { state } = run(minutes("uuuudd"));
  expect(observeSession(state, "down", 9 * minuteMs).state).toBe(state);
  const { state: unsteady } = run(minutes("uudduudduuu"));
  expect(unsteady.told).toBe("unsteady");
  expect(observeSession(unsteady, "up", 13 * minuteMs).state).toBe(unsteady);
});

const observation = fc.tuple(
  fc.constantFrom<Seen | null>("up", "up", "up", "down", "down", "down", null),
  fc.oneof({ weight: 5, arbitrary: fc.constant(minuteMs) }, fc.integer({ min: 1, max: 2 * windowMs })),
);
/** Rows of the same, so that much is believed. */
const observations = fc
  .array(fc.tuple(observation, fc.integer({ min: 1, max: 4 })), { maxLength: 60 })
  .map((rows) =>
    rows.flatMap(([[seen, after], times]) => Array.from({ length: times }, () => [seen, after] as const)),
  );

test("never the same twice, first a fall, and a bounded number in any half hour", () => {
  fc.assert(
    fc.property(observations, (looks) => {
      const { told } = run(looks);
      if (told[0]) expect(told[0].tell).toBe("down");
      for (const [index, { tell, at }] of told.entries()) {
        expect(tell).not.toBe(told[index - 1]?.tell);
        const lately = told.filter((each) => each.at > at - windowMs && each.at <= at);
        expect(lately.length).toBeLessThanOrEqual(mostChanges + 1);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("up and down are told only as the last two looks have it", () => {
  fc.assert(
    fc.property(observations, (looks) => {
      let state = nothingSeen;
      let at = 0;
      let before: Seen | null = null;
      for (const [seen, after] of looks) {
        at += after;
        const step = observeSession(state, seen, at);
        const told = step.tell?.change;
        if (told) expect([before, seen]).toEqual([seen, seen]);
        if (told === "up" || told === "down") expect(told).toBe(seen);
        ({ state } = step);
        before = seen;
      }
    }),
  );
});

test("whatever came before, what holds for half an hour is what was told last", () => {
  fc.assert(
    fc.property(observations, fc.constantFrom<Seen>("up", "down"), (looks, last) => {
      const before = run(looks);
      const held = Array.from({ length: 33 }, () => [last, minuteMs] as const);
      const { told } = run([...looks, ...held]);
      if (last === "down" && before.state.believed === "up") expect(told.at(-1)?.tell).toBe("down");
      if (before.told.length > 0) expect(told.at(-1)?.tell).toBe(last);
    }),
    { numRuns: 2_000 },
  );
});
