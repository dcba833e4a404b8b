import { afterEach, expect, test, vi } from "vitest";
import { handshakeAge, isUp, parseDump, type TunnelPeer } from "./parse-dump.ts";

afterEach(() => {
  vi.useRealTimers();
});

const silent: TunnelPeer = {
  publicKey: "PEER=",
  presharedKey: null,
  endpoint: null,
  allowedIps: [],
  latestHandshake: null,
  rxBytes: 0,
  txBytes: 0,
  keepalive: null,
};

test("parses interfaces with their peers", () => {
  const dump = [
    "dn42_4242420001\tPRIV=\tPUB=\t20001\toff",
    "dn42_4242420001\tPEER=\t(none)\t[2001:db8::1]:51820\t172.20.0.0/14,fe80::/10\t1763680000\t1200\t3400\t25",
    "dn42_4242420002\tPRIV=\tPUB=\t20002\toff",
    "dn42_4242420002\tPEER2=\tPSK=\t(none)\t(none)\t0\t0\t148\toff",
    "wg0\t(none)\t(none)\t37643\toff",
    "",
  ].join("\n");
  const active: TunnelPeer = {
    publicKey: "PEER=",
    presharedKey: null,
    endpoint: "[2001:db8::1]:51820",
    allowedIps: ["172.20.0.0/14", "fe80::/10"],
    latestHandshake: 1_763_680_000,
    rxBytes: 1200,
    txBytes: 3400,
    keepalive: 25,
  };
  const passive = { ...silent, publicKey: "PEER2=", presharedKey: "PSK=", txBytes: 148 };
  expect(Object.fromEntries(parseDump(dump))).toEqual({
    dn42_4242420001: { privateKey: "PRIV=", listenPort: 20_001, peers: [active] },
    dn42_4242420002: { privateKey: "PRIV=", listenPort: 20_002, peers: [passive] },
    wg0: { privateKey: "(none)", listenPort: 37_643, peers: [] },
  });
});

test("skips a peer without its interface", () => {
  expect(parseDump("wg1\tPEER=\t(none)\t(none)\t(none)\t0\t0\t0\toff").size).toBe(0);
});

const now = 1_763_680_000;

test.each([
  ["this second", now, 0, true],
  ["in a session's last second", now - 180, 180, true],
  ["before the session's end", now - 181, 181, false],
  ["in the future, after the clock was set back", now + 5, 0, true],
  ["never", null, null, false],
])("a handshake %s", (_, latestHandshake, age, up) => {
  vi.useFakeTimers({ now: now * 1000 + 900 });
  const peer = { ...silent, latestHandshake };
  expect(handshakeAge(peer)).toBe(age);
  expect(isUp(peer)).toBe(up);
});

test("an interface without a peer is not up", () => {
  expect(handshakeAge(undefined)).toBeNull();
  expect(isUp(undefined)).toBe(false);
});
