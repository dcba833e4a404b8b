import { expect, test } from "vitest";
import { findPortReuse, suggestPort } from "./participant-ports.ts";

const at = (port: string, host = "router.example.org") => ({ node: `n${port}`, host, port });

test.each([
  [[], 51_820],
  [["51820"], 51_821],
  [["51821", "51820", "4000"], 51_822],
  [["51821"], 51_820],
] as const)("with the ports %j, the suggestion is %i", (ports, suggestion) => {
  expect(suggestPort(ports.map((port) => at(port)))).toBe(suggestion);
});

test("the suggestion is a port even if all are used", () => {
  const all = Array.from({ length: 65_536 - 51_820 }, (_, index) => at(String(51_820 + index)));
  expect(suggestPort(all)).toBe(65_535);
});

test("a port is used twice only on the same host", () => {
  const others = [at("51820"), at("51820", "other.example.org"), at("51821")];
  expect(findPortReuse("Router.example.ORG", "51820", others)).toEqual([at("51820")]);
  expect(findPortReuse("third.example.org", "51820", others)).toEqual([]);
});
