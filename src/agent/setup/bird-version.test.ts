import { expect, test } from "vitest";
import { replyOf } from "../fixtures/fake-bird.ts";
import { describeVersion, findVersionProblem, parseBirdVersion } from "./bird-version.ts";

test.each([
  ["1000-BIRD 2.0.12", "2.0.12"],
  ["1000-BIRD 3.4.0", "3.4.0"],
  ["1000-BIRD v2.18+branch", "2.18"],
])("%s", (line, version) => {
  expect(
    parseBirdVersion(replyOf(line, "1011-Router ID is 172.20.16.1", "0013 Daemon is up and running")),
  ).toBe(version);
});

test("a reply without a version", () => {
  expect(parseBirdVersion(replyOf("9001 syntax error"))).toBeNull();
});

test.each([
  ["2.0.7", "BIRD 2.0.7 is too old: it refuses the peerings' files. Install 2.0.12 or newer."],
  ["1.6.8", "BIRD 1.6.8 is too old: it refuses the peerings' files. Install 2.0.12 or newer."],
  ["2.0.12", null],
  ["2.18", null],
  ["3.4.0", null],
  ["4.0.0", "This agent does not know BIRD 4.0.0. Install a newer agent, or BIRD 2 or 3."],
])("the problem with %s", (version, problem) => {
  expect(findVersionProblem(version)).toBe(problem);
});

test("says whether a version was tried", () => {
  const tried = "tried with this agent. Tried versions: 2.0.12, 2.17.5, 2.20.0, 3.1.7, 3.4.0.";
  expect(describeVersion("2.0.12")).toBe(`BIRD 2.0.12 was ${tried}`);
  expect(describeVersion("3.1.7")).toBe(
    `BIRD 3.1.7 was ${tried} A participant can block changes on a node with BIRD 3, see docs/nodes.md; BIRD 2 does not ` +
      "have this fault.",
  );
  expect(describeVersion("2.18")).toBe(`BIRD 2.18 was not ${tried}`);
});
