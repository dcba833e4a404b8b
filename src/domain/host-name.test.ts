import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalHost, isHostName, isInnerName } from "./host-name.ts";

const label63 = "a".repeat(63);

test.each([
  ["Router.Example.ORG", "router.example.org"],
  ["1.2.3.4", "1.2.3.4"],
  ["4-2.example.com", "4-2.example.com"],
  ["1.2.3.4.com", "1.2.3.4.com"],
  ["xn--e1afmkfd.xn--80akhbyknj4f", "xn--e1afmkfd.xn--80akhbyknj4f"],
  [`${label63}.com`, `${label63}.com`],
])("%s is the host %s", (text, canonical) => {
  expect(canonicalHost(text)).toBe(canonical);
});

test("a name has 253 characters at most", () => {
  const name = `${`${label63}.`.repeat(3)}${"a".repeat(57)}.com`;
  expect(name).toHaveLength(253);
  expect(isHostName(name)).toBe(true);
  expect(isHostName(`a${name}`)).toBe(false);
});

test.each([
  ["localhost", true],
  ["a.localhost", true],
  ["notlocalhost", false],
  ["x.dn42", true],
  ["dn42.eu", false],
  ["host.home.arpa", true],
  ["arpa.example", false],
])("%s is an inner name: %s", (host, inner) => {
  expect(isInnerName(host)).toBe(inner);
});

test("the canonical text of a host is its own canonical text", () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV4()), (text) => {
      const host = canonicalHost(text.toUpperCase());
      expect(host === null || (canonicalHost(host) === host && /^[a-z0-9.-]+$/.test(host))).toBe(true);
    }),
  );
});
