import fc from "fast-check";
import { expect, test } from "vitest";
import { allocatePort, allocateLinkLocal } from "./allocation.ts";
import { parseIpv6 } from "../ipv6.ts";
import { ownLinkLocal } from "../address-ranges.ts";
import { contains, formatAddress } from "../prefix.ts";

const asns = fc.integer({ min: 1, max: 4_294_967_294 }).map(String);

test.each([
  ["4242421234", [], 21234],
  ["4201271234", [21234], 21235],
  ["4242420000", [], 20000],
  ["4242429999", [29999, 30000], 30001],
])("AS%s gets its port by convention, or the next free port", (asn, taken, port) => {
  expect(allocatePort(asn, new Set(taken))).toBe(port);
});

test("participants of one node never share a port, and no port is privileged or ephemeral", () => {
  fc.assert(
    fc.property(fc.uniqueArray(asns, { minLength: 1, maxLength: 60 }), fc.nat(), (participants, crowd) => {
      // All with the same conventional port: the same last four digits, as far as such ASNs exist.
      const conflicting = participants.map((asn) =>
        String(Number(asn) - (Number(asn) % 10_000) + (crowd % 10_000)),
      );
      const taken = new Set<number>();
      for (const asn of [...participants, ...conflicting]) {
        const port = allocatePort(asn, taken);
        if (port === null) throw new Error("no port");
        expect(taken.has(port)).toBe(false);
        expect(port >= 1024 && port <= 65_535 && !(port >= 32_768 && port <= 60_999)).toBe(true);
        taken.add(port);
      }
    }),
  );
});

const all = Array.from({ length: 65_536 }, (_, port) => port);

test("the last free port is found anywhere, and none is left after it", () => {
  for (const last of [1024, 19_999, 20_000, 32_767, 61_000, 65_535]) {
    const taken = new Set(all.filter((port) => port !== last));
    expect(allocatePort("4242420000", taken)).toBe(last);
    expect(allocatePort("4242420000", taken.add(last))).toBeNull();
  }
});

test("no ephemeral port is chosen, even if no other is left", () => {
  const others = all.filter((port) => port < 32_768 || port > 60_999);
  expect(allocatePort("4242420000", new Set(others))).toBeNull();
});

test.each([
  ["4242420001", [], "fe80::1"],
  ["4242421234", [], "fe80::1234"],
  ["4242421234", ["fe80::1234"], "fe80::fcde:35f2"],
  ["4242420000", [], "fe80::fcde:3120"],
  ["4242421234", ["fe80::1234", "fe80::fcde:35f2"], "fe80::1:fcde:35f2"],
  ["4242421234", ["fe80::1234", "fe80::fcde:35f2", "fe80::1:fcde:35f2"], "fe80::2:fcde:35f2"],
])("AS%s with %j taken gets %s", (asn, taken, address) => {
  expect(allocateLinkLocal(asn, new Set(taken))).toBe(address);
});

test("an allocated link-local address is canonical, in fe80::/64, and not taken", () => {
  fc.assert(
    fc.property(asns, fc.nat(8), (asn, others) => {
      const taken = new Set<string>();
      for (let other = 0; other <= others; other += 1) {
        const address = allocateLinkLocal(asn, taken);
        const value = parseIpv6(address);
        if (value === null) throw new Error(`not an address: ${address}`);
        expect(formatAddress({ bits: 128, value })).toBe(address);
        expect(contains(ownLinkLocal, { bits: 128, value }) && address !== "fe80::").toBe(true);
        expect(taken.has(address)).toBe(false);
        taken.add(address);
      }
    }),
  );
});
