import { expect, test } from "vitest";
import { peeringOf } from "../fixtures/peerings.ts";
import { isSamePeering } from "./routed-peering.ts";

test("two equal peerings are the same, and two absent ones", () => {
  expect(isSamePeering(peeringOf(1), peeringOf(1))).toBe(true);
  expect(isSamePeering(null, null)).toBe(true);
  expect(isSamePeering(peeringOf(1), null)).toBe(false);
  expect(isSamePeering(peeringOf(1), peeringOf(1, { listenPort: 20_009 }))).toBe(false);
});

test("a peering with an optional field differs from one without it, in both directions", () => {
  const [plain, small] = [peeringOf(1), peeringOf(1, { mtu: 1280 })];
  expect(isSamePeering(plain, small)).toBe(false);
  expect(isSamePeering(small, plain)).toBe(false);
  expect(isSamePeering(plain, peeringOf(1, { mtu: undefined }))).toBe(true);
});
