import { expect, test } from "vitest";
import type { RefusedRoute } from "#contract/diagnostics.ts";
import { initialOrder, nextOrder, sortByPrefix, sortRefused } from "./route-order.ts";

test("prefixes are sorted as numbers, IPv4 before IPv6, the shorter one first", () => {
  const sorted = [
    "0.0.0.0/0",
    "9.0.0.0/8",
    "10.0.0.0/8",
    "10.0.0.0/16",
    "10.0.2.128/25",
    "10.0.10.0/24",
    "172.20.1.0/26",
    "::/0",
    "::1:0:0:0/64",
    "2001:db8::/32",
    "FD42:4242::/32",
    "fd42:4242::1/128",
    "fd42:4242:0:1::/64",
    "fd42:4242:9::/48",
    "fd42:4242:10::/48",
    "fd42:4242:10::/64",
    "no prefix",
  ].map((prefix) => ({ prefix }));
  expect(sortByPrefix(sorted.toReversed())).toEqual(sorted);
});

test("routes of the same prefix stay in their order", () => {
  const routes = [1, 2, 3].map((session) => ({ prefix: "10.0.0.0/8", session }));
  expect(sortByPrefix(routes)).toEqual(routes);
});

const route = (prefix: string, reason: RefusedRoute["reason"], as_path: string): RefusedRoute => ({
  prefix,
  reason,
  as_path,
  family: "IPv4",
  origin: "",
  explanation: "",
  object: "",
  fix: "",
});

const routes = [
  route("10.0.0.0/8", "no ROA", "1 2 {3 4}"),
  route("9.0.0.0/8", "no ROA", "1"),
  route("8.0.0.0/8", "wrong length", "1 1"),
  route("7.0.0.0/8", "bogon in path", ""),
];

test.each([
  ["prefix", false, ["7", "8", "9", "10"]],
  ["prefix", true, ["10", "9", "8", "7"]],
  ["reason", false, ["7", "9", "10", "8"]],
  ["reason", true, ["8", "9", "10", "7"]],
  ["path", false, ["7", "9", "8", "10"]],
  ["path", true, ["10", "8", "9", "7"]],
] as const)("refused routes by %s, descending: %s", (column, isDescending, order) => {
  expect(sortRefused(routes, { column, isDescending }).map(({ prefix }) => prefix.split(".")[0])).toEqual(
    order,
  );
});

test("a second press of a column's head reverses the order, another column is ascending", () => {
  const reversed = nextOrder(initialOrder, "prefix");
  expect(reversed).toEqual({ column: "prefix", isDescending: true });
  expect(nextOrder(reversed, "prefix")).toEqual(initialOrder);
  expect(nextOrder(initialOrder, "path").isDescending).toBe(false);
  expect(nextOrder(reversed, "path")).toEqual({ column: "path", isDescending: false });
});
