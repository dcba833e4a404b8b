import { expect, test } from "vitest";
import { describeNodes } from "./describe-nodes.ts";

type Now = "OK" | "Issues" | "Down" | null;

const observed = { from: 0, ok: 1, issues: 0, down: 0 };
const describe = (states: readonly Now[], days = [observed]) =>
  describeNodes(
    states.map((now, index) => {
      const name = `n${index + 1}`;
      return { name, history: { node: name, now, quarters: [], days } };
    }),
    (node) => `${node}.example.net`,
  );

test.each<[readonly Now[], string]>([
  [["OK", "OK"], "All 2 nodes are up."],
  [["OK"], "The node is up."],
  [["OK", "Down"], "n2.example.net does not respond."],
  [
    ["Issues", "Down", "Down"],
    "2 of 3 nodes do not respond: n2.example.net and n3.example.net. 1 has issues.",
  ],
  [["Down", "Down", "Down", "Down", "OK"], "4 of 5 nodes do not respond."],
  [
    ["Issues", "Issues", null, "OK"],
    "2 of 4 nodes have issues: n1.example.net and n2.example.net. 1 was not checked.",
  ],
  [["OK", null], "n2.example.net was not checked."],
  [[null, null], "No data. The nodes were not checked in the last five minutes."],
])("%j: %s", (states, text) => {
  expect(describe(states)).toBe(text);
});

test("before the first check, the sentence says what will be here", () => {
  expect(describe([null, null], [{ ...observed, ok: 0 }])).toBe(
    "No data yet. The server checks every node once a minute.",
  );
});
