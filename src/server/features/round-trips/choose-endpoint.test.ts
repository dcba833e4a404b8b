import { expect, test } from "vitest";
import type { DesiredPeering } from "../peerings/desired-peerings.ts";
import { chooseEndpoint } from "./choose-endpoint.ts";

type Given = readonly [host: string | null, revision: number, present?: boolean];

test.each<[string, readonly Given[], string | null]>([
  ["without a peering, there is none", [], null],
  [
    "the host of most peerings",
    [
      ["a", 1],
      ["a", 2],
      ["b", 3],
    ],
    "a",
  ],
  [
    "of two hosts with as many, that of the newest peering",
    [
      ["a", 2],
      ["b", 4],
      ["b", 1],
      ["a", 3],
    ],
    "b",
  ],
  [
    "a peering that is being deleted does not count",
    [
      ["a", 1],
      ["b", 2],
      ["b", 3, false],
      ["a", 4, false],
      ["c", 5, false],
    ],
    "b",
  ],
  [
    "a peering without an endpoint does not count",
    [
      ["a", 1],
      [null, 2],
      [null, 3],
    ],
    "a",
  ],
  ["without any other peering than such ones, there is none", [["a", 1, false]], null],
])("%s", (_, given, expected) => {
  const peerings = given.map(
    ([endpointHost, revision, present = true]) =>
      ({ revision, present, peering: { endpointHost } }) as unknown as DesiredPeering,
  );
  expect(chooseEndpoint(peerings)).toBe(expected);
});
