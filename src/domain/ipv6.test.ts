import fc from "fast-check";
import { expect, test } from "vitest";
import { formatIpv6, parseIpv6, parseIpv6Text } from "./ipv6.ts";

test.each([
  ["FE80:0::1", "fe80::1"],
  ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ["::", "::"],
  ["::ffff:127.0.0.1", "::ffff:127.0.0.1"],
  ["64:ff9b::7f00:1", "64:ff9b::7f00:1"],
  ["::1.2.3.4", "::102:304"],
])("%s is written %s", (text, canonical) => {
  const value = parseIpv6(text);
  expect(value === null ? null : formatIpv6(value)).toBe(canonical);
});

test.each([
  ["colons", "", ":", ":::", "1::2::3", "1:2:3:4:5:6:7:8::", "12345::", "::g"],
  ["IPv4 parts", "::1.2.3.4:5", "::01.2.3.4"],
  ["zones", "fe80::1%a%b", "fd00::1%eth0"],
])("malformed %s are not an IPv6 address", (_, ...texts) => {
  expect(texts.filter((text) => parseIpv6Text(text) !== null)).toEqual([]);
});

test("only a link-local address may have a zone", () => {
  expect(parseIpv6Text("fe80::1%eth0")).toEqual({ value: (0xfe80n << 112n) | 1n, zone: "eth0" });
  expect(parseIpv6("fe80::1%eth0")).toBeNull();
});

test("the canonical text of a value parses to the same value", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (value) => {
      const text = formatIpv6(value);
      expect(text).toMatch(/^[0-9a-f:.]+$/);
      expect(parseIpv6(text)).toBe(value);
    }),
  );
});
