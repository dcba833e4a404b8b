import { expect, test } from "vitest";
import { readPlainValue } from "./plain-value.ts";

test.each([
  ["remote_ip", " router.example.org.\r\n", "router.example.org"],
  ["remote_ip", "[192.0.2.1]", "192.0.2.1"],
  ["remote_ip", "router.example.org:51820", null],
  ["remote_ip", "[2001:db8::1]", null],
  ["remote_port", "51820\n", "51820"],
  ["peer_ipv4", "172.20.1.1/26", "172.20.1.1"],
  // A network is no address.
  ["peer_ipv4", "172.20.1.0/26", null],
  ["peer_ipv4", "172.20.1.1/33", null],
  ["peer_ipv6", "[fe80::1%wg0]/64", "fe80::1"],
  ["peer_ipv6", "\u200Bfe80::1%wg0\u00A0", "fe80::1"],
  ["peer_ipv6", "172.20.1.1", null],
] as const)("%s: %j is %j", (field, text, expected) => {
  expect(readPlainValue(field, text)).toBe(expected);
});
