import { expect, test } from "vitest";
import { findRouteFaults } from "./route-faults.ts";

/** Sessions with these numbers of accepted and refused routes; null where the router does not say. */
function sessionsWith(...counts: ReadonlyArray<readonly [accepted: number, refused: number] | null>) {
  return counts.map((count) => ({
    name: "dn42_4242420001",
    families: ["IPv4" as const],
    state: "Established",
    detail: "",
    routes: count && [
      {
        family: "IPv4" as const,
        received: count[0] + count[1],
        accepted: count[0],
        refused: count[1],
        exported: 640,
      },
    ],
  }));
}

test.each([
  [sessionsWith([2, 18]), { code: "routes-refused", facts: { refused: 18, received: 20 } }],
  [sessionsWith([499, 1]), { code: "routes-refused", facts: { refused: 1, received: 500 } }],
  [sessionsWith([1, 9], [1, 9]), { code: "routes-refused", facts: { refused: 18, received: 20 } }],
  [sessionsWith([0, 3], null), { code: "all-routes-refused", facts: { refused: 3, received: 3 } }],
  [sessionsWith([0, 0]), { code: "no-routes", facts: {} }],
])("refused or missing routes", (sessions, finding) => {
  expect(findRouteFaults(sessions)).toEqual([finding]);
});

test.each([[[]], [sessionsWith(null)], [sessionsWith([20, 0])]])(
  "nothing is wrong with accepted routes, nor where the router does not say",
  (sessions) => {
    expect(findRouteFaults(sessions)).toEqual([]);
  },
);
