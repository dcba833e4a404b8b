import { expect, test } from "vitest";
import { checkPublicAddress } from "./address-ranges.ts";
import { parseAddress } from "./prefix.ts";

function reasonAgainst(text: string, allowDocumentation = false): string | null {
  const address = parseAddress(text);
  if (!address) throw new Error(`not an address: ${text}`);
  return checkPublicAddress(address, allowDocumentation);
}

test.each([
  ["is an unspecified address", ["0.0.0.0"]],
  ["is a private address", ["10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1"]],
  ["is an address behind carrier-grade NAT", ["100.64.0.0", "100.127.255.255"]],
  ["is a loopback address", ["127.1.2.3"]],
  ["is a link-local address", ["169.254.169.254"]],
  ["is a reserved address", ["192.0.0.8", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1"]],
  ["is a reserved address", ["240.0.0.1", "255.255.255.255", "2001:0:1::1", "2620:4f:8000::1"]],
  ["is a benchmarking address", ["198.19.255.255"]],
  ["is a multicast address", ["224.0.0.1", "239.255.255.255"]],
  [
    "is a documentation address",
    ["192.0.2.1", "198.51.100.1", "203.0.113.255", "2001:db8::1", "3fff:fff::1"],
  ],
  ["is not a public IPv6 address", ["::", "::1", "::ffff:8.8.8.8", "64:ff9b::808:808"]],
  ["is not a public IPv6 address", ["fc00::1", "fd00::1", "fe80::1", "ff02::1"]],
  ["is a 6to4 address", ["2002:7f00:1::1"]],
  [null, ["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255"]],
  [null, ["172.32.0.0", "223.255.255.255", "2a00::1", "2001:200::1"]],
])("the reason against an endpoint: %s", (reason, texts) => {
  expect(texts.map((text) => [text, reasonAgainst(text)])).toEqual(texts.map((text) => [text, reason]));
});

test("a lab may use documentation addresses, but no private address", () => {
  for (const text of ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"])
    expect(reasonAgainst(text, true)).toBeNull();
  expect(reasonAgainst("10.0.0.1", true)).toBe("is a private address");
});
