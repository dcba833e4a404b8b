import { expect, test } from "vitest";
import type { DesiredPeering } from "../peerings/desired-peerings.ts";
import { chooseEndpoint } from "./choose-endpoint.ts";

/** Peerings of a text: `a1` has the host a and the revision 1, `-1` has no host, and `a1!` is being deleted. */
test.each([
  ["without a peering, there is none", "", null],
  ["the host of most peerings", "a1 a2 b3", "a"],
  ["of two hosts with as many, that of the newest peering", "a2 b4 b1 a3", "b"],
  ["a peering that is being deleted does not count", "a1 b2 b3! a4! c5!", "b"],
  ["a peering without an endpoint does not count", "a1 -2 -3", "a"],
  ["without any other peering than such ones, there is none", "a1!", null],
])("%s", (_, given, expected) => {
  const peerings = Array.from(given.matchAll(/(\S)(\d)(!?)/g), ([, host, revision, deleted]) => ({
    revision: Number(revision),
    present: deleted === "",
    peering: { endpointHost: host === "-" ? null : host },
  }));
  expect(chooseEndpoint(peerings as unknown as DesiredPeering[])).toBe(expected);
});
