import { expect, test } from "vitest";
import { isAsn, normalizeAsn } from "./asn.ts";

test("AS numbers", () => {
  const asns = ["1", "64512", "4242420001", "4201271234", "4294967294"];
  expect(asns.filter(isAsn)).toEqual(asns);
});

test.each([
  ["4242420001", "4242420001"],
  ["AS4242420001", "4242420001"],
  [" as4242420001\t", "4242420001"],
  ["AS 4242420001", "AS 4242420001"],
  ["AS4242420001 x", "AS4242420001 x"],
  ["my AS4242420001", "my AS4242420001"],
  ["  example ", "example"],
  ["", ""],
])("%j is normalized to %j", (input, normalized) => {
  expect(normalizeAsn(input)).toBe(normalized);
});
