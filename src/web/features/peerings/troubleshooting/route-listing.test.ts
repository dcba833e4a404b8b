import { expect, test } from "vitest";
import { parseRouteListing, routesMatching } from "./route-listing.ts";

/** As BIRD 2.0.12 prints it, without some attributes. */
const output = `BIRD 2.0.12 ready.
Table master4:
172.20.1.0/26        unicast [dn42_4242420001_v4 00:56:46.306] * (100) [AS4242420001i]
\tvia 172.20.1.1 on dn42_4242420001
\tType: BGP univ
\tBGP.as_path: 4242420001
                     unicast [dn42_4242420002_v4 2026-11-20] (100) [AS4242420001i]
\tvia fe80::2 on dn42_4242420002
\tBGP.large_community: (4242420001, 4242, 6) (4242420001, 14, 4294967295)
\t\t(4242420001, 99, 4294967295)

Table master6:
fd42:4242:1::/48     unicast [dn42_4242420001_v6 00:56:46.307] * (100) [AS4242420001i]
\tvia fe80::1 on dn42_4242420001

Filtered:
Table master4:
0.0.0.0/0            unicast [dn42_4242420001_v4 00:56:46.306] * (100) [AS65540i]
\tvia 172.20.1.1 on dn42_4242420001
(truncated here, after code 1008)
`;

test("parses every route with its attributes, also a second one of the same prefix and filtered ones", () => {
  const { routes, cut, hasOtherLines } = parseRouteListing(output);
  expect([cut, hasOtherLines]).toEqual([true, false]);
  expect(routes.map(({ prefix, table, filtered, lines }) => [prefix, table, filtered, lines.length])).toEqual(
    [
      ["172.20.1.0/26", "master4", false, 4],
      ["172.20.1.0/26", "master4", false, 4],
      ["fd42:4242:1::/48", "master6", false, 2],
      ["0.0.0.0/0", "master4", true, 2],
    ],
  );
  expect(routes[1]?.lines[0]).toBe(
    "172.20.1.0/26        unicast [dn42_4242420002_v4 2026-11-20] (100) [AS4242420001i]",
  );
});

test.each([
  ["", 4],
  ["   ", 4],
  ["172.20.1", 3],
  ["as65540", 1],
  ["172.20.1.0/26 FE80::2", 1],
  ["4242420001, 99", 1],
  ["nowhere", 0],
])("a search for %j finds %i", (search, count) => {
  expect(routesMatching(parseRouteListing(output).routes, search)).toHaveLength(count);
});

test.each(["", "\n", "BIRD 2.0.12 ready.\n", "Table master4:\n\nFiltered:\n"])(
  "a listing without routes: %j",
  (text) => {
    expect(parseRouteListing(text)).toEqual({ routes: [], cut: false, hasOtherLines: false });
  },
);

test.each([
  ["an error message", "syntax error, unexpected CF_SYM_UNDEFINED\n"],
  ["FRRouting", "   Network          Next Hop            Metric\n*> 172.20.1.0/26    172.20.1.1       0\n"],
  [
    "Junos",
    "172.20.1.0/26      *[BGP/170] 1w2d 03:04:05, localpref 100\n                      AS path: 1 I\n",
  ],
  ["iproute2", "172.20.1.0/26 via fe80::1 dev dn42_1 proto bird metric 32\n"],
  ["JSON", '{"172.20.1.0/26": []}'],
  ["a message between routes", output.replace("Table master6:", "dn42_4242420001_v6: not found")],
])("lines of another format are noticed: %s", (_, text) => {
  expect(parseRouteListing(text).hasOtherLines).toBe(true);
});
