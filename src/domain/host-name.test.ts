import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalizeHost, isHostName, isInternalName } from "./host-name.ts";

const label63 = "a".repeat(63);

test.each([
  ["Router.Example.ORG", "router.example.org"],
  ["1.2.3.4", "1.2.3.4"],
  ["4-2.example.com", "4-2.example.com"],
  ["1.2.3.4.com", "1.2.3.4.com"],
  ["router.example.c", "router.example.c"],
  ["router.example.XN--P1AI", "router.example.xn--p1ai"],
  ["xn--e1afmkfd.xn--80akhbyknj4f", "xn--e1afmkfd.xn--80akhbyknj4f"],
  [`${label63}.com`, `${label63}.com`],
])("%s is the host %s", (text, canonical) => {
  expect(canonicalizeHost(text)).toBe(canonical);
});

test.each([
  ["without a top domain", "router", "router.example.", "router..example"],
  ["with digits or hyphens in the top domain", "router.example.c1", "router.example.1", "router.example.c-d"],
  ["with a malformed IDN", "router.example.xn--", "router.example.xn--p1ai-", "router.example.x1xn--p1ai"],
  ["with a long label, a hyphen or other letters", `a.${"a".repeat(64)}`, "-a.example.org", "ä.example.org"],
])("names %s are not hosts", (_, ...texts) => {
  expect(texts.filter((text) => canonicalizeHost(text) !== null)).toEqual([]);
});

test("a name has at most 253 characters", () => {
  const name = `${`${label63}.`.repeat(3)}${"a".repeat(57)}.com`;
  expect(name).toHaveLength(253);
  expect(isHostName(name)).toBe(true);
  expect(isHostName(`a${name}`)).toBe(false);
});

test("internal names end with one of the names that resolve inside a network only", () => {
  const internal = ["localhost", "a.localhost", "x.dn42", "x.neo", "x.hack", "host.home.arpa"];
  expect([...internal, "notlocalhost", "dn42.eu", "arpa.example"].filter(isInternalName)).toEqual(internal);
});

test("a canonical host does not change when canonicalized again", () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV4()), (text) => {
      const host = canonicalizeHost(text.toUpperCase());
      expect(host === null || (canonicalizeHost(host) === host && /^[a-z0-9.-]+$/.test(host))).toBe(true);
    }),
  );
});
