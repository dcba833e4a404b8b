import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionChange } from "#contract/push.ts";
import {
  type AlertState,
  clearLatest,
  maxChanges,
  initialState,
  advanceAlertState,
  type ObservedStatus,
  parseAlertState,
  windowMs,
} from "./session-alerts.ts";

const minuteMs = 60_000;

interface SentAlert {
  readonly change: SessionChange;
  /** The last two observations. */
  readonly latest: readonly [Input, Input];
  /** When it was sent. */
  readonly at: number;
  readonly since: number;
}

/** `gap`: the observations before are missing. */
type Input = ObservedStatus | null | "gap";

/** The alerts of observations, each with the milliseconds since the one before. */
function run(observations: ReadonlyArray<readonly [Input, number]>, from: AlertState = initialState) {
  let state = from;
  let at = 0;
  let before: Input = null;
  const sent: SentAlert[] = [];
  for (const [input, after] of observations) {
    at += after;
    if (input === "gap") {
      state = clearLatest(state);
      continue;
    }
    const step = advanceAlertState(state, input, at);
    // The database stores the same state.
    state = parseAlertState(JSON.stringify(step.state));
    expect(state).toEqual(step.state);
    if (step.alert)
      sent.push({ change: step.alert.change, latest: [before, input], at, since: step.alert.at });
    before = input;
  }
  return { sent, state };
}

const letters: Readonly<Record<string, Input>> = { u: "up", d: "down", "?": null, "-": "gap" };

/** One observation a minute: `u` up, `d` down, `?` without a result, `-` a gap. */
function minutes(text: string): Array<readonly [Input, number]> {
  return Array.from(text, (letter) => [letters[letter] ?? null, minuteMs]);
}

/** The alerts, each with its minute, and with the minute since when its status lasts if that is another one. */
function alertsOf(text: string): string {
  return run(minutes(text))
    .sent.map(({ change, at, since }) => {
      const from = since === at ? "" : ` since ${since / minuteMs}`;
      return `${change} ${at / minuteMs}${from}`;
    })
    .join(", ");
}

const stable = (letter: string) => letter.repeat(40);

test.each([
  ["a peering that was up and is down in two successive observations is alerted", "uudd", "down 4 since 3"],
  ["one alert is sent, however long it lasts", `uu${stable("d")}`, "down 4 since 3"],
  ["the return is alerted after two observations", "uudduu", "down 4 since 3, up 6 since 5"],
  ["one observation is not enough", "uududuudu", ""],
  ["a peering that was never up causes no alert, nor does its first rise", `${stable("d")}uuu`, ""],
  ["one observation up confirms nothing", `ud${stable("d")}`, ""],
  ["an observation without a result breaks the succession", "uu?d?d?d", ""],
  ["observations without a result delay an alert only briefly", "uu??dd", "down 6 since 5"],
  ["the time of a fall is that before an observation without a result", "uud?dd", "down 6 since 3"],
  ["observations without a result during an outage change nothing", "uudd???dd", "down 4 since 3"],
  ["observations before and after a gap are not successive", "uud-du", ""],
  ["an outage before a gap does not count as lasting", "uud-dd", "down 6 since 5"],
  [
    "after three changes it is unsteady, and no further alerts are sent",
    "uudduudduudduudd",
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10",
  ],
  [
    "until the status has lasted half an hour: then that status is sent, with its time",
    `uudduudduu${stable("d")}`,
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10, down 41 since 11",
  ],
  [
    "that status may be up",
    `uudduudduudd${stable("u")}`,
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10, up 43 since 13",
  ],
  [
    "an observation without a result does not restart the half hour",
    `uudduudduu${"d".repeat(20)}?${stable("d")}`,
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10, down 41 since 11",
  ],
  [
    "a gap restarts it",
    `uudduudduu${"d".repeat(20)}-${stable("d")}`,
    "down 4 since 3, up 6 since 5, down 8 since 7, unsteady 10, down 62 since 32",
  ],
  [
    "changes that are far apart are all alerted",
    `uudd${stable("u")}dd${stable("u")}dd`,
    "down 4 since 3, up 6 since 5, down 46 since 45, up 48 since 47, down 88 since 87",
  ],
])("%s", (_, inputs, alerts) => {
  expect(alertsOf(inputs)).toBe(alerts);
});

test("the state stays the same object if nothing changed", () => {
  const { state } = run(minutes("uuuudd"));
  expect(advanceAlertState(state, "down", 9 * minuteMs).state).toBe(state);
  const { state: unsteady } = run(minutes("uudduudduuu"));
  expect(unsteady.lastSent).toBe("unsteady");
  expect(advanceAlertState(unsteady, "up", 13 * minuteMs).state).toBe(unsteady);
});

const observation = fc.tuple(
  fc.constantFrom<ObservedStatus | null>("up", "up", "up", "down", "down", "down", null),
  fc.oneof({ weight: 5, arbitrary: fc.constant(minuteMs) }, fc.integer({ min: 1, max: 2 * windowMs })),
);
/** Runs of the same observation, so that much is confirmed. */
const observations = fc
  .array(fc.tuple(observation, fc.integer({ min: 1, max: 4 })), { maxLength: 60 })
  .map((rows) =>
    rows.flatMap(([[observed, after], times]) =>
      Array.from({ length: times }, () => [observed, after] as const),
    ),
  );

test("alerts never repeat, start with a fall, agree with the last two observations, and are limited in any half hour", () => {
  fc.assert(
    fc.property(observations, (inputs) => {
      const { sent } = run(inputs);
      if (sent[0]) expect(sent[0].change).toBe("down");
      for (const [index, { change, latest, at }] of sent.entries()) {
        expect(change).not.toBe(sent[index - 1]?.change);
        const [before, observed] = latest;
        expect([before, change]).toEqual([observed, change === "unsteady" ? change : observed]);
        const lately = sent.filter((each) => each.at > at - windowMs && each.at <= at);
        expect(lately.length).toBeLessThanOrEqual(maxChanges + 1);
      }
    }),
    { numRuns: 400 },
  );
});

test("a status that lasts half an hour is always the last alert", () => {
  fc.assert(
    fc.property(observations, fc.constantFrom<ObservedStatus>("up", "down"), (inputs, last) => {
      const before = run(inputs);
      const lasting = Array.from({ length: 33 }, () => [last, minuteMs] as const);
      const { sent } = run([...inputs, ...lasting]);
      if (last === "down" && before.state.confirmed === "up") expect(sent.at(-1)?.change).toBe("down");
      if (before.sent.length > 0) expect(sent.at(-1)?.change).toBe(last);
    }),
    { numRuns: 400 },
  );
});
