import { afterEach, expect, test, vi } from "vitest";
import { endpointInUse, handshakeAge, isUp, parseDump, type TunnelPeer } from "./parse-dump.ts";

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

// `render.test.ts` and `read-interfaces.test.ts` have the whole output.
test("a peer that was never connected has only its key; one without its interface is skipped", () => {
  const peer = "PEER=\t(none)\t(none)\t(none)\t0\t0\t0\toff";
  const found = parseDump(`wg0\tPRIV=\tPUB=\t20001\toff\nwg0\t${peer}\nwg1\t${peer}`);
  expect(found).toEqual(new Map([["wg0", { privateKey: "PRIV=", listenPort: 20_001, peers: [silent] }]]));
});

test.each([
  ["198.51.100.7:51820", "198.51.100.7:51820"],
  ["[2001:db8::7]:51820", "[2001:db8::7]:51820"],
  // A participant on the node's own link. The zone names an interface of the node.
  ["[fe80::7%eth0.12]:51820", "[fe80::7]:51820"],
  [null, null],
])("the endpoint %s is shown as %s", (endpoint, shown) => {
  expect(endpointInUse({ ...silent, endpoint })).toBe(shown);
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
