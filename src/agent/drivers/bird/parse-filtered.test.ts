import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { createReplyReader } from "./control-socket.ts";
import { parseFilteredRoutes } from "./parse-filtered.ts";

const provider = "4242422227";

/** Output of BIRD 2.0.12 on its socket, with some lines omitted. */
const printed = [
  "1007-Table master4:",
  " 0.0.0.0/0            unicast [dn42_4242420001 00:56:46.306] * (100) [AS4242420001i]",
  " \tvia fe80::1 on dn42_4242420001",
  "1008-\tType: BGP univ",
  "1012-\tBGP.origin: IGP",
  " \tBGP.as_path: 4242420001",
  " \tBGP.next_hop: :: fe80::1",
  " \tBGP.local_pref: 100",
  " \tBGP.community: ",
  " \tBGP.large_community: (4242422227, 4242, 1)",
  "1007-172.20.1.32/27       unicast [dn42_4242420001 00:55:35.556] * (100) [AS65540i]",
  " \tvia fe80::1 on dn42_4242420001",
  "1008-\tType: BGP univ",
  "1012-\tBGP.origin: IGP",
  " \tBGP.as_path: 4242420001 65540",
  " \tBGP.local_pref: 100",
  " \tBGP.large_community: (4242420001, 4242, 6) (4242420001, 14, 4294967295)",
  " \t\t(4242420001, 99, 4294967295) (4242422227, 4242, 7) (4242420002, 4242, 2)",
  "1007-10.19.98.0/24        unicast [dn42_4242420001 00:55:37.317] * (100) [AS4242420001i]",
  " \tvia fe80::1 on dn42_4242420001",
  "1008-\tType: BGP univ",
  "1012-\tBGP.origin: IGP",
  " \tBGP.as_path: 4242420001 4242420001 4242420001 42...",
  " \tBGP.large_community: ",
  "1007-",
  " Table master6:",
  " fd42:9::/48          unicast [dn42_4242420001 00:56:46.307] * (100) [AS4242420001i]",
  " \tvia fe80::1 on dn42_4242420001",
  "1008-\tType: BGP univ",
  "1012-\tBGP.origin: IGP",
  " \tBGP.as_path: 4242420001",
  " \tBGP.community: ",
  " \tBGP.large_community: (4242422227, 4242, 5)",
];
const as1 = "4242420001";
const parsed = [
  { prefix: "0.0.0.0/0", family: "IPv4", reason: 1, origin: as1, asPath: as1 },
  { prefix: "172.20.1.32/27", family: "IPv4", reason: 7, origin: "65540", asPath: `${as1} 65540` },
  { prefix: "10.19.98.0/24", family: "IPv4", reason: null, origin: as1, asPath: `${as1} ${as1} ${as1} …` },
  { prefix: "fd42:9::/48", family: "IPv6", reason: 5, origin: as1, asPath: as1 },
];

test("parses path, origin and reason community of each route, whatever the order of communities", () => {
  expect(parseFilteredRoutes(replyOf(...printed, "0000 "), provider)).toEqual(parsed);
});

test("returns no routes for an empty reply or an error", () => {
  expect(parseFilteredRoutes(replyOf("0000 "), provider)).toEqual([]);
  expect(parseFilteredRoutes(replyOf("9001 syntax error, unexpected CF_SYM_UNDEFINED"), provider)).toEqual(
    [],
  );
});

test("a path that ends in a set has no origin, and a second route of a prefix repeats the prefix", () => {
  const reply = replyOf(
    "1007-172.20.9.0/26        unicast [dn42_4242420001 00:56:46.306 from fe80::1] (100/?) [i]",
    "1012-\tBGP.as_path: 4242420001 {4242420002 4242420003}",
    "1007-                     unicast [dn42_4242420001 00:56:46.306] (100s) [AS4242420002?]",
    "1012-\tBGP.as_path: 4242420001 4242420002",
    "0000 ",
  );
  expect(parseFilteredRoutes(reply, provider)).toEqual([
    {
      prefix: "172.20.9.0/26",
      family: "IPv4",
      reason: null,
      origin: null,
      asPath: "4242420001 {4242420002 4242420003}",
    },
    {
      prefix: "172.20.9.0/26",
      family: "IPv4",
      reason: null,
      origin: "4242420002",
      asPath: "4242420001 4242420002",
    },
  ]);
});

test("drops the last route of a truncated reply", () => {
  for (const lines of [printed.length, printed.length - 1, printed.length - 6]) {
    const reader = createReplyReader();
    reader.push(`${printed.slice(0, lines).join("\n")}\n 172.20`);
    expect(parseFilteredRoutes(reader.partial(), provider)).toEqual(parsed.slice(0, 3));
  }
});

test("BIRD 3 names the path as filters do", () => {
  const reply = replyOf(
    "1007-172.20.9.0/26        unicast [dn42_4242420001 00:56:46.306] * (100) [AS4242420001e]",
    "1012-\tbgp_path: 4242420001 ",
    " \tbgp_large_community: (4242422227,4242,5)",
    "0000 ",
  );
  expect(parseFilteredRoutes(reply, provider)).toEqual([
    { prefix: "172.20.9.0/26", family: "IPv4", reason: 5, origin: as1, asPath: as1 },
  ]);
});

test.each([
  "Table master4:",
  "\tvia fe80::1 on dn42_4242420001 [AS1i]",
  "x172.20.9.0/26 unicast [dn42_4242420001 00:56:46.306] * (100) [AS4242420001i]",
  "172.20.9.0/26 unicast [dn42_4242420001 00:56:46.306] * (100) [AS4242420001i] x",
  "172.20.9.0/26 unicast [dn42_4242420001 00:56:46.306] * (100) [AS4242420001x]",
])("the line %s is no route, and what follows it belongs to none", (line) => {
  const reply = replyOf(`1007-${line}`, "1012-\tBGP.as_path: 4242420001", "0000 ");
  expect(parseFilteredRoutes(reply, provider)).toEqual([]);
});

test("only a line of its own is a path, and a path is shortened only at its end", () => {
  const route = "1007-172.20.9.0/26 unicast [dn42_4242420001 00:56:46.306] * (100) [AS4242420001i]";
  const path = (text: string) => parseFilteredRoutes(replyOf(route, text, "0000 "), provider)[0]?.asPath;
  expect(path("1012-\tx BGP.as_path: 1")).toBe("");
  expect(path("1012-BGP.as_path: 1")).toBe("");
  expect(path("1012-\tBGP.as_path: 4242420001 42... 1")).toBe("4242420001 42... 1");
  expect(path("1012-\tBGP.as_path: 4242420001 ...")).toBe("4242420001 …");
  expect(path("1012-\tBGP.as_path: 4242420001 424242...")).toBe("4242420001 …");
});
