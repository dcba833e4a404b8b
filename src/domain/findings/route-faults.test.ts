import { expect, test } from "vitest";
import { findRouteFaults } from "./route-faults.ts";

/** Sessions with these numbers of accepted and refused routes; null where the router does not say. */
function sessionsWith(...counts: ReadonlyArray<readonly [accepted: number, refused: number] | null>) {
  const family = "IPv4" as const;
  return counts.map((count) => {
    const [accepted, refused] = count ?? [0, 0];
    const routes = count && [{ family, received: accepted + refused, accepted, refused, exported: 640 }];
    return { name: "dn42_4242420001", families: [family], state: "Established", detail: "", routes };
  });
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
