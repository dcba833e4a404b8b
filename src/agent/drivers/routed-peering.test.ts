import { expect, test } from "vitest";
import { peeringOf } from "../fixtures/peerings.ts";
import { isSamePeering } from "./routed-peering.ts";

const plain = peeringOf(1);

test("equal peerings are the same, also if an option is undefined in one, and so are two absent ones", () => {
  for (const equal of [peeringOf(1), peeringOf(1, { mtu: undefined })])
    expect(isSamePeering(plain, equal)).toBe(true);
  expect(isSamePeering(null, null)).toBe(true);
});

test.each([
  null,
  peeringOf(1, { listenPort: 20_009 }),
  peeringOf(1, { mtu: 1280 }),
  peeringOf(1, { presharedKey: "PSK=" }),
])("a peering differs from %j, in both directions", (other) => {
  expect([isSamePeering(plain, other), isSamePeering(other, plain)]).toEqual([false, false]);
});
