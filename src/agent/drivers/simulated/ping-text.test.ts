import { expect, test } from "vitest";
import { pingText } from "./ping-text.ts";

test("IPv4 with a reply to each probe", () => {
  expect(pingText({ target: "172.21.1.1", probes: [0.5, 9.876, 12.34, 123.4] })).toBe(`\
PING 172.21.1.1 (172.21.1.1) 56(84) bytes of data.
64 bytes from 172.21.1.1: icmp_seq=1 ttl=64 time=0.500 ms
64 bytes from 172.21.1.1: icmp_seq=2 ttl=64 time=9.88 ms
64 bytes from 172.21.1.1: icmp_seq=3 ttl=64 time=12.3 ms
64 bytes from 172.21.1.1: icmp_seq=4 ttl=64 time=123 ms

--- 172.21.1.1 ping statistics ---
4 packets transmitted, 4 received, 0% packet loss, time 3004ms
rtt min/avg/max/mdev = 0.500/36.529/123.400/50.349 ms
`);
});

test("IPv6 with a lost probe", () => {
  expect(pingText({ target: "fe80::1%dn42_1", probes: [10, null] })).toBe(`\
PING fe80::1%dn42_1(fe80::1%dn42_1) 56 data bytes
64 bytes from fe80::1%dn42_1: icmp_seq=1 ttl=64 time=10.0 ms

--- fe80::1%dn42_1 ping statistics ---
2 packets transmitted, 1 received, 50% packet loss, time 1002ms
rtt min/avg/max/mdev = 10.000/10.000/10.000/0.000 ms
`);
});

test("no reply at all", () => {
  expect(pingText({ target: "172.21.1.1", probes: [null, null, null, null] })).toBe(`\
PING 172.21.1.1 (172.21.1.1) 56(84) bytes of data.

--- 172.21.1.1 ping statistics ---
4 packets transmitted, 0 received, 100% packet loss, time 3064ms

`);
});
