import fc from "fast-check";
import { expect, test } from "vitest";
import { contains, formatAddress, networkOf, parseAddress, parsePrefix, prefix } from "./prefix.ts";

test.each([
  ["172.20.0.0/14", ["172.20.0.0", "172.23.255.255"], ["172.24.0.0", "172.19.255.255"]],
  ["0.0.0.0/0", ["255.255.255.255"], ["::1"]],
  ["10.0.0.1/32", ["10.0.0.1"], ["10.0.0.2"]],
  ["fd00::/8", ["fdff::1"], ["fc00::1"]],
  ["fe80::/64", ["fe80::1"], ["fe80:0:0:1::"]],
  ["::/0", ["::1"], ["10.0.0.1"]],
])("%s contains %j, and not %j", (range, inside, outside) => {
  const contained = [...inside, ...outside].filter((text) => {
    const address = parseAddress(text);
    return address && contains(prefix(range), address);
  });
  expect(contained).toEqual(inside);
});

test.each([
  ["", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.1/8", "10.0.0.0/8/8"],
  ["fd00::/129", "fd00::1/64", "fe80::%eth0/64", "/8"],
])("%j and the like are not prefixes", (...texts) => {
  for (const text of texts) {
    expect(parsePrefix(text)).toBeNull();
    expect(() => prefix(text)).toThrow(`not a prefix: ${text}`);
  }
});

test("a prefix contains exactly the addresses with its bits", () => {
  const addresses = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
  fc.assert(
    fc.property(addresses, fc.integer({ min: 0, max: 128 }), fc.nat(127), (value, length, bit) => {
      const address = { bits: 128, value } as const;
      const range = { ...address, value: networkOf(address, length), length };
      expect(contains(range, address)).toBe(true);
      const flipped = { bits: 128, value: value ^ (1n << BigInt(127 - bit)) } as const;
      expect(contains(range, flipped)).toBe(bit >= length);
    }),
  );
});

test("equal addresses have equal texts, and different ones different texts", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.oneof(fc.ipV4(), fc.ipV6()), (left, right) => {
      const [a, b] = [parseAddress(left), parseAddress(right)];
      if (!a || !b) throw new Error(`not read: ${left} ${right}`);
      expect(formatAddress(a) === formatAddress(b)).toBe(a.bits === b.bits && a.value === b.value);
    }),
  );
});
