import { expect, test } from "vitest";
import { neighbourKey, parseConnections } from "./parse-connections.ts";

/** Printed by iproute2 6.1.0 in the lab, while packets above 1400 octets were lost on their way to fe80::1. */
const recorded = [
  "ESTAB      0      5497   [fe80::2227]%dn42_4242420001:47825 [fe80::1]:179   ",
  "\t bbr wscale:10,10 rto:52224 backoff:8 rtt:3.39/4.981 ato:40 mss:1348 pmtu:1420 rcvmss:536 advmss:1348 cwnd:1 bytes_sent:21727 bytes_retrans:16176 bytes_acked:93 bytes_received:198 segs_out:27 segs_in:11 data_segs_out:19 data_segs_in:7 send 3181121bps lastsnd:32880 lastrcv:19344 lastack:13308 pacing_rate 299213192bps delivery_rate 7257064bps delivered:4 app_limited busy:87668ms unacked:5 retrans:1/12 lost:4 sacked:1 rcv_space:13480 rcv_ssthresh:64188 notsent:39 minrtt:1.03 snd_wnd:65536          ",
  "FIN-WAIT-2 0      0      [fe80::2227]%dn42_4242420002:60125 [fe80::2]:179   ",
  "\t                                     ",
  "LAST-ACK   0      5498   [fe80::2227]%dn42_4242420004:47825 [fe80::4]:179   ",
  "\t bbr wscale:10,10 rto:52224 backoff:8 rtt:3.39/4.981 bytes_acked:93 lastrcv:13308  ",
  "ESTAB      0      0      [fe80::2227]%dn42_4242420003:46199 [fe80::3]:179   ",
  "\t bbr wscale:10,10 rto:208 rtt:6.898/11.479 mss:1348 bytes_sent:5551 bytes_acked:5552 bytes_received:138 lastsnd:15092 lastack:15092  ",
  "",
].join("\n");

const stuck = {
  identity: "[fe80::2227]%dn42_4242420001:47825 [fe80::1]:179",
  queuedBytes: 5497,
  confirmedBytes: 93,
  receivedAgoMs: 19_344,
};

test("finds the established connections by neighbour, and leaves out those that end", () => {
  const found = parseConnections(recorded);
  expect([...found.keys()]).toEqual(["fe80::1%dn42_4242420001", "fe80::3%dn42_4242420003"]);
  expect(found.get("fe80::1%dn42_4242420001")).toEqual(stuck);
  // ss leaves out `lastrcv` in the very millisecond in which data arrived.
  expect(found.get("fe80::3%dn42_4242420003")).toMatchObject({ confirmedBytes: 5552, receivedAgoMs: 0 });
});

test.each([
  ["172.20.16.1:179 172.20.1.1:40112", "172.20.1.1"],
  ["172.20.16.1%dn42_4242420001:46199 172.20.1.1:179", "172.20.1.1"],
  ["[fd42:d42::1]:179 [fd42:4242:1::1]:40112", "fd42:4242:1::1"],
  ["[fd42:d42::1]%dn42_4242420001:40112 [fd42:4242:1:0::1]:179", "fd42:4242:1::1"],
  ["[fe80::2227]%dn42_4242420001:179 [fe80::1]%dn42_4242420001:40112", "fe80::1%dn42_4242420001"],
  ["[fe80::2227%dn42_4242420001]:179 [fe80::1%dn42_4242420001]:40112", "fe80::1%dn42_4242420001"],
])("%s is the connection of %s", (addresses, key) => {
  expect([...parseConnections(`ESTAB 0 0 ${addresses}\n`).keys()]).toEqual([key]);
});

test("what the kernel does not say is unknown, not 0", () => {
  const unknown = { confirmedBytes: null, receivedAgoMs: null };
  for (const output of [
    "ESTAB 0 5 10.0.0.1:179 10.0.0.2:1\n",
    "ESTAB 0 5 10.0.0.1:179 10.0.0.2:1\n\t cubic\n",
  ])
    expect(parseConnections(output).get("10.0.0.2")).toMatchObject({ queuedBytes: 5, ...unknown });
  for (const broken of ["", "ESTAB", "ESTAB 0 many 10.0.0.1:179 10.0.0.2:1", "ESTAB 0 0 somewhere else"])
    expect(parseConnections(broken).size).toBe(0);
});

test("two participants with the same link-local address have different keys", () => {
  expect(neighbourKey("fe80::1", "dn42_4242420001")).not.toBe(neighbourKey("fe80::1", "dn42_4242420002"));
  expect(neighbourKey("fd42:0::1", "dn42_4242420001")).toBe("fd42::1");
});
