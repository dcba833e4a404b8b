import { expect, test } from "vitest";
import { isAsn, parseAsn, canonicalizeAsn } from "./asn.ts";

test("AS numbers", () => {
  const asns = ["1", "64512", "4242420001", "4201271234", "4294967294"];
  expect(asns.filter(isAsn)).toEqual(asns);
});

test.each([
  "4242420001",
  "AS4242420001",
  "as4242420001",
  " As4242420001\t",
  "AS 4242420001",
  "4242 420 001",
  "AS 4242 420 001",
  "4242420001\r\n",
  // No-break, narrow no-break, thin and zero-width spaces, a byte order mark and a direction mark.
  "\u00a04242\u00a0420\u202f001\u2009",
  "\ufeff4242420001\u200b",
  "\u202aAS4242420001\u202c",
])("%j is AS4242420001", (typed) => {
  expect([parseAsn(typed), canonicalizeAsn(typed)]).toEqual(["4242420001", "4242420001"]);
});

test.each([
  "",
  " ",
  "AS",
  "example",
  "A S4242420001",
  "ASAS4242420001",
  "AS4242420001 x",
  "my AS4242420001",
  "AS04242420001",
  "0 4242420001",
  "4242420001 4242420002",
  "64496.1",
  "4.242.420.001",
  "4242,420,001",
  "4242-420-001",
  "+4242420001",
  "1e9",
  "AS0",
  "AS23456",
  "AS 65 535",
  "4294967295",
  "４２４２４２０００１",
  "٤٢",
])("%j is no AS number", (typed) => {
  expect(parseAsn(typed)).toBeNull();
  expect(canonicalizeAsn(typed)).toBe(typed.trim());
});
