import { expect, test } from "vitest";
import { countEnds, nextSessionStates, type SessionState, withoutExpired } from "./session-states.ts";

const at = Date.UTC(2026, 10, 28, 12);
const ago = (seconds: number) => at - seconds * 1000;
const hour = 3600;

const stored = (changes: SessionState["changes"], since = changes.at(-1)?.[0] ?? null): SessionState => ({
  families: ["IPv4"],
  up: changes.at(-1)?.[1] ?? true,
  since,
  changes,
});

interface Report {
  readonly up?: boolean;
  readonly age?: number;
  readonly changes?: readonly number[];
}

function next(before: SessionState | null, { up = true, age, changes }: Report) {
  const session = {
    name: "dn42_4242420001_v4",
    families: ["IPv4" as const],
    state: up ? "Established" : "Active",
    detail: "",
    routes: null,
    ...(age !== undefined && { stateAgeSeconds: age }),
    ...(changes && { changeAgesSeconds: [...changes] }),
  };
  const [state] = nextSessionStates(before ? [before] : [], [session], at);
  if (!state) throw new Error("no state");
  return [state.up, state.since, ...state.changes];
}

const upSince = stored([[ago(5 * hour), true]]);

test.each<[string, SessionState | null, Report, ReturnType<typeof next>]>([
  ["of an agent that has just started", null, {}, [true, null]],
  ["that is new", null, { up: false, age: 4 }, [false, ago(4)]],
  [
    "that was never stored, with what the agent saw",
    null,
    { age: 4, changes: [4, 30] },
    [true, ago(4), [ago(30), false], [ago(4), true]],
  ],
  [
    "with nothing new",
    upSince,
    // Ages are rounded, and some seconds old.
    { age: 5 * hour - 3, changes: [5 * hour - 3] },
    [true, ago(5 * hour), [ago(5 * hour), true]],
  ],
  ["of an agent that has started again", upSince, {}, [true, ago(5 * hour), [ago(5 * hour), true]]],
  [
    "that the agent found down after its start",
    upSince,
    { up: false },
    [false, at, [ago(5 * hour), true], [at, false]],
  ],
  [
    "that ended, to the second",
    upSince,
    { up: false, age: 20, changes: [20, 5 * hour] },
    [false, ago(20), [ago(5 * hour), true], [ago(20), false]],
  ],
  [
    "that ended and came back between two observations",
    upSince,
    { age: 5, changes: [5, 20, 5 * hour] },
    [true, ago(5), [ago(5 * hour), true], [ago(20), false], [ago(5), true]],
  ],
  [
    "that flaps faster than times can be told apart",
    upSince,
    { age: 5 * hour - 8, changes: [5 * hour - 8, 5 * hour - 4, 5 * hour] },
    [true, ago(5 * hour - 8), [ago(5 * hour), true], [ago(5 * hour - 4), false], [ago(5 * hour - 8), true]],
  ],
  [
    "that came back later while the agent did not run",
    upSince,
    { age: hour },
    [true, ago(hour), [ago(5 * hour), true]],
  ],
  [
    "with a change of a clock that was ahead",
    stored([
      [ago(5 * hour), true],
      [ago(-hour), false],
    ]),
    { up: false, age: 60, changes: [60, 5 * hour] },
    [false, ago(60), [ago(5 * hour), true], [ago(60), false]],
  ],
])("the state of a session %s", (_, before, report, expected) => {
  expect(next(before, report)).toEqual(expected);
});

test("a session has its last hundred changes, of seven days, and its ends of one", () => {
  const changes = Array.from(
    { length: 120 },
    (_, index) => [ago((120 - index) * hour), index % 2 === 0] as const,
  );
  const full = stored([...changes, [ago(30), true]]);
  const [state] = nextSessionStates([full], [], at);
  expect(state).toBeUndefined();
  expect(next(full, { up: false, age: 1, changes: [1] })).toHaveLength(2 + 100);
  expect(countEnds(full, at)).toBe(12);
  const later = at + 5 * 24 * hour * 1000;
  const [kept] = withoutExpired([full], later);
  expect(kept?.changes.length).toBe(49);
  expect(kept?.since).toBe(ago(30));
});
