import { expect, test } from "vitest";
import { parseRoas, RoaError } from "./parse-roas.ts";

test("parses ROAs and renders them canonically", () => {
  const text = `# made 2026-11-20
route 172.20.1.0/26 max 29 as 4242420001;
  route   172.20.2.0/24   max 28  as 4242420002 ; # a note

route 172.20.3.0/24 max 24 as 0;
route 172.20.4.0/24 max 32 as 1;
`;
  expect(parseRoas(text, 32)).toEqual([
    "route 172.20.1.0/26 max 29 as 4242420001;",
    "route 172.20.2.0/24 max 28 as 4242420002;",
    "route 172.20.3.0/24 max 24 as 0;",
    "route 172.20.4.0/24 max 32 as 1;",
  ]);
  const ipv6 = "route FD42:4242:1:0::/48 max 128 as 4242420001;\nroute fd42::/16 max 100 as 4294967294;";
  expect(parseRoas(ipv6, 128)).toEqual(ipv6.replace("FD42:4242:1:0::", "fd42:4242:1::").split("\n"));
});

test.each([
  ["route 172.20.1.0/26 max 29 as 4242420001", "a line cut off"],
  ["xroute 172.20.1.0/26 max 29 as 4242420001;", "text before it"],
  ["route172.20.1.0/26 max 29 as 4242420001;", "no space"],
  ["route 172.20.1.0/26 max29 as 4242420001;", "no space after max"],
  ["route 172.20.1.0/26 max 0029 as 4242420001;", "too many digits of a length"],
  ["route 172.20.1.0/26 max x29 as 4242420001;", "no number as length"],
  ["route 172.20.1.0/26 max 29 as AS4242420001;", "an AS with letters"],
  ["route 172.20.1.0/26 max 29 as 00;", "zero in two digits"],
  ["route 172.20.1.0/26 max 25 as 4242420001;", "shorter than its prefix"],
  ["route 172.20.1.0/26 max 33 as 4242420001;", "longer than an address"],
  ["route 172.20.1.1/26 max 29 as 4242420001;", "host bits"],
  ["route 172.20.1.0/26 max 29 as 4294967296;", "no AS number"],
  ["route fd42:4242:1::/48 max 64 as 4242420001;", "the other family"],
  ["route 172.20.1.0/26 max 29 as 1; } protocol static { ipv4; route 0.0.0.0/0 reject;", "more behind it"],
  ["<!doctype html>", "a page"],
])("rejects %s: %s", (line) => {
  expect(() => parseRoas(`route 172.20.9.0/24 max 28 as 4242420009;\n${line}\n`, 32)).toThrow(
    `line 2 is not an IPv4 ROA: ${JSON.stringify(line.slice(0, 80))}`,
  );
});

test("rejects a text without ROAs", () => {
  expect(() => parseRoas("# nothing today\n", 128)).toThrow("it contains no ROA");
});

test("names the first invalid line of an IPv6 text, shortened, and not one of its comments", () => {
  const long = `route ${"x".repeat(200)}`;
  expect(() => parseRoas(`# ROAs\n\nroute fd42::/16 max 16 as 1; # route\n${long}\nroute`, 128)).toThrow(
    new RoaError(`line 4 is not an IPv6 ROA: "${long.slice(0, 80)}"`),
  );
});
