import { expect, test } from "vitest";
import { findSimilarKey } from "./similar-key.ts";

const known = ["name", "asn", "public_url", "url", "from", "tls", "ca", "max_peerings"];

test.each([
  ["nam", "name"],
  ["form", "from"],
  ["uri", "url"],
  ["publicURL", "public_url"],
  ["public-url", "public_url"],
  ["max_peers", undefined],
  ["max_peering", "max_peerings"],
  ["ssl", undefined],
  ["cb", undefined],
  ["lat", undefined],
])("%s is meant to be %s", (given, meant) => {
  expect(findSimilarKey(given, known)).toBe(meant);
});
