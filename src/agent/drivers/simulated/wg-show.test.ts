import { expect, test } from "vitest";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { ago, bytes, wgShow } from "./wg-show.ts";

test("a tunnel that is up, with and without a pre-shared key, which is hidden", () => {
  const tunnel = {
    endpoint: "[2001:db8::7]:51820",
    handshakeAgeSeconds: 72,
    rxBytes: 1_268_777,
    txBytes: 900,
  };
  const shown = `\
interface: dn42_4242420001
  public key: KEY=
  private key: (hidden)
  listening port: 20001

peer: ${peeringOf(1).publicKey}
  endpoint: [2001:db8::7]:51820
  allowed ips: 172.20.0.0/14, 172.31.0.0/16, 10.0.0.0/8, fd00::/8, fe80::/10
  latest handshake: 1 minute, 12 seconds ago
  transfer: 1.21 MiB received, 900 B sent
  persistent keepalive: every 25 seconds
`;
  expect(wgShow("KEY=", routed(peeringOf(1), "2001:db8::7"), tunnel)).toBe(shown);
  const withKey = peeringOf(1, { presharedKey: "PSK=" });
  expect(wgShow("KEY=", routed(withKey, "2001:db8::7"), tunnel)).toBe(
    shown.replace("  endpoint", "  preshared key: (hidden)\n  endpoint"),
  );
});

test("a tunnel without a handshake has no handshake line", () => {
  const tunnel = { endpoint: null, handshakeAgeSeconds: null, rxBytes: 0, txBytes: 148 };
  expect(wgShow("KEY=", routed(peeringOf(1)), tunnel)).not.toContain("handshake");
});

test("durations and sizes are printed like those of wg", () => {
  const durations = ["Now", "1 second ago", "1 hour ago", "1 day, 1 hour, 1 minute, 1 second ago"];
  expect([0, 1, 3600, 90_061].map(ago)).toEqual(durations);
  const sizes = ["1023 B", "1.00 KiB", "5.00 TiB", "5120.00 TiB"];
  expect([1023, 1024, 5 * 1024 ** 4, 5 * 1024 ** 5].map(bytes)).toEqual(sizes);
});
