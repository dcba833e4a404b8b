import { expect, test } from "vitest";
import { checkPublicAddress } from "./address-ranges.ts";
import { parseAddress } from "./prefix.ts";

function reasonAgainst(text: string, allowDocumentation = false): string | null {
  const address = parseAddress(text);
  if (!address) throw new Error(`not an address: ${text}`);
  return checkPublicAddress(address, allowDocumentation);
}

test.each([
  ["0.0.0.0", "is an unspecified address"],
  ["10.255.255.255", "is a private address"],
  ["100.64.0.0", "is an address behind carrier-grade NAT"],
  ["100.127.255.255", "is an address behind carrier-grade NAT"],
  ["127.1.2.3", "is a loopback address"],
  ["169.254.169.254", "is a link-local address"],
  ["172.16.0.0", "is a private address"],
  ["172.31.255.255", "is a private address"],
  ["192.168.0.1", "is a private address"],
  ["192.0.0.8", "is a reserved address"],
  ["192.31.196.1", "is a reserved address"],
  ["192.52.193.1", "is a reserved address"],
  ["192.88.99.1", "is a reserved address"],
  ["192.175.48.1", "is a reserved address"],
  ["198.19.255.255", "is a benchmarking address"],
  ["224.0.0.1", "is a multicast address"],
  ["239.255.255.255", "is a multicast address"],
  ["240.0.0.1", "is a reserved address"],
  ["255.255.255.255", "is a reserved address"],
  ["192.0.2.1", "is a documentation address"],
  ["198.51.100.1", "is a documentation address"],
  ["203.0.113.255", "is a documentation address"],
  ["::", "is not a public IPv6 address"],
  ["::1", "is not a public IPv6 address"],
  ["::ffff:8.8.8.8", "is not a public IPv6 address"],
  ["64:ff9b::808:808", "is not a public IPv6 address"],
  ["fc00::1", "is not a public IPv6 address"],
  ["fd00::1", "is not a public IPv6 address"],
  ["fe80::1", "is not a public IPv6 address"],
  ["ff02::1", "is not a public IPv6 address"],
  ["2001:0:1::1", "is a reserved address"],
  ["2620:4f:8000::1", "is a reserved address"],
  ["2001:db8::1", "is a documentation address"],
  ["3fff:fff::1", "is a documentation address"],
  ["2002:7f00:1::1", "is a 6to4 address"],
])("%s %s", (text, reason) => {
  expect(reasonAgainst(text)).toBe(reason);
});

test.each([
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "223.255.255.255",
  "2a00::1",
  "2001:200::1",
])("%s may be an endpoint", (text) => {
  expect(reasonAgainst(text)).toBeNull();
});

test.each(["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"])(
  "a lab may use %s, but no private address",
  (text) => {
    expect(reasonAgainst(text, true)).toBeNull();
    expect(reasonAgainst("10.0.0.1", true)).toBe("is a private address");
  },
);
