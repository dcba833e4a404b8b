import fc from "fast-check";
import { expect, test } from "vitest";
import { formatIpv4, parseIpv4 } from "./ipv4.ts";

test.each([
  ["0.0.0.0", 0],
  ["0.0.0.1", 1],
  ["172.20.0.53", 0xac14_0035],
  ["255.255.255.255", 0xffff_ffff],
])("%s is %i", (text, value) => {
  expect(parseIpv4(text)).toBe(value);
  expect(formatIpv4(value)).toBe(text);
});

test("an address has exactly one valid text", () => {
  fc.assert(
    fc.property(fc.nat(0xffff_ffff), (value) => {
      expect(parseIpv4(formatIpv4(value))).toBe(value);
    }),
  );
  fc.assert(
    fc.property(fc.ipV4Extended(), (text) => {
      const value = parseIpv4(text);
      expect(value === null || formatIpv4(value) === text).toBe(true);
    }),
  );
});
