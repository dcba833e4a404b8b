import { expect, test } from "vitest";
import { listClientNetworks, toClientKey } from "./client-key.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2::1", "2001:db8:1:2::"],
  ["::1", "::1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::192.0.2.1", "::c000:201"],
  ["64:ff9b::192.0.2.1", "64:ff9b::c000:201"],
  ["unknown", "unknown"],
])("counts %s as %s", (address, key) => {
  expect(toClientKey(address)).toBe(key);
});

test.each([
  ["192.0.2.1", ["192.0.2.1"]],
  ["::1", ["::1"]],
  ["2001:db8:1:2ff::1", ["2001:db8:1:2ff::", "2001:db8:1:200::/56", "2001:db8:1::/48"]],
])("the networks of %s are %j", (address, networks) => {
  expect(listClientNetworks(address)).toEqual(networks);
});
