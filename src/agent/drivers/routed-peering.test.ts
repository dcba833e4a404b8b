import { expect, test } from "vitest";
import { peeringOf } from "../fixtures/peerings.ts";
import { isSamePeering } from "./routed-peering.ts";

test("two equal peerings are the same, and two absent ones", () => {
  expect(isSamePeering(peeringOf(1), peeringOf(1))).toBe(true);
  expect(isSamePeering(null, null)).toBe(true);
  expect(isSamePeering(peeringOf(1), null)).toBe(false);
  expect(isSamePeering(peeringOf(1), peeringOf(1, { listenPort: 20_009 }))).toBe(false);
});

test.each([{ mtu: 1280 }, { presharedKey: "PSK=" }])(
  "%j differs from its absence, in both directions",
  (option) => {
    const [plain, changed] = [peeringOf(1), peeringOf(1, option)];
    expect(isSamePeering(plain, changed)).toBe(false);
    expect(isSamePeering(changed, plain)).toBe(false);
  },
);

test("an optional field that is undefined is absent", () => {
  const plain = peeringOf(1);
  expect(isSamePeering(plain, peeringOf(1, { mtu: undefined }))).toBe(true);
});
