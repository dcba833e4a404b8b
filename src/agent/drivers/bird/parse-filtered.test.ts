/** What no recording shows. `tests/tools/record-bird/parsers.test.ts` parses those of all versions. */
import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { createReplyReader } from "./control-socket.ts";
import { parseFilteredRoutes } from "./parse-filtered.ts";

const provider = "4242422227";
const as1 = "4242420001";
const heading = (prefix: string) =>
  `${prefix.padEnd(20)} unicast [dn42_4242420001 00:56:46.306] * (100) [AS4242420001i]`;

test("the provider's reason counts among many communities, and without it the reason is unknown", () => {
  const reply = replyOf(
    "1007-Table master4:",
    ` ${heading("172.20.1.32/27")}`,
    "1012-\tBGP.as_path: 4242420001",
    " \tBGP.large_community: (4242420001, 4242, 6) (4242420001, 14, 4294967295)",
    " \t\t(4242420001, 99, 4294967295) (4242422227, 4242, 7) (4242420002, 4242, 2)",
    `1007-${heading("").replace("i]", "?]")}`,
    "1012-\tBGP.as_path: 4242420001 65540 ",
    "0000 ",
  );
  const route = { prefix: "172.20.1.32/27", family: "IPv4", origin: as1 };
  expect(parseFilteredRoutes(reply, provider)).toEqual([
    { ...route, reason: 7, asPath: as1 },
    // A further route of a prefix follows without it.
    { ...route, reason: null, asPath: `${as1} 65540` },
  ]);
});

test("drops the last route of a truncated reply", () => {
  const prefixes = ["172.20.1.0/26", "172.20.2.0/26", "172.20.3.0/26"];
  const lines = prefixes.flatMap((prefix) => [
    `1007-${heading(prefix).replace("i]", "e]")}`,
    "1012-\tBGP.as_path: 4242420001",
  ]);
  for (const count of [lines.length, lines.length - 1]) {
    const reader = createReplyReader();
    reader.push(`${lines.slice(0, count).join("\n")}\n 172.20`);
    const parsed = parseFilteredRoutes(reader.partial(), provider);
    expect(parsed.map(({ prefix }) => prefix)).toEqual(prefixes.slice(0, 2));
  }
});

test.each([
  "Table master4:",
  "\tvia fe80::1 on dn42_4242420001 [AS1i]",
  `x${heading("172.20.9.0/26")}`,
  `${heading("172.20.9.0/26")} x`,
  heading("172.20.9.0/26").replace("i]", "x]"),
])("the line %s is no route, and what follows it belongs to none", (line) => {
  const reply = replyOf(`1007-${line}`, "1012-\tBGP.as_path: 4242420001", "0000 ");
  expect(parseFilteredRoutes(reply, provider)).toEqual([]);
});

test.each([
  ["\tx BGP.as_path: 1", ""],
  ["BGP.as_path: 1", ""],
  ["\tBGP.as_path: 4242420001 42... 1", "4242420001 42... 1"],
  ["\tBGP.as_path: 4242420001 ...", "4242420001 …"],
  ["\tBGP.as_path: 4242420001 424242...", "4242420001 …"],
])("the path of %j is %j", (line, path) => {
  const reply = replyOf(`1007-${heading("172.20.9.0/26")}`, `1012-${line}`, "0000 ");
  expect(parseFilteredRoutes(reply, provider)[0]?.asPath).toBe(path);
});
