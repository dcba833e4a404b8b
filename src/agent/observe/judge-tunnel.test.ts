import { expect, test } from "vitest";
import type { PeeringObservation } from "../drivers/router.ts";
import { peeringOf, routed } from "../fixtures/peerings.ts";
import { judgeTunnel } from "./judge-tunnel.ts";

const healthy: PeeringObservation = {
  asn: "4242420001",
  rxBytes: 2000,
  txBytes: 1000,
  handshakeAgeSeconds: 30,
  latencyMs: 12.4,
  sessions: [],
};

test.each<[string, Partial<PeeringObservation>, "Up" | "Down", string[]]>([
  ["a fresh handshake", {}, "Up", []],
  ["a session's last second", { handshakeAgeSeconds: 180 }, "Up", []],
  [
    "an expired session",
    { handshakeAgeSeconds: 181 },
    "Down",
    [
      "The last handshake with 198.51.100.1:51820 was 3 min ago. Check that your router is up and that " +
        "its address has not changed.",
    ],
  ],
  [
    "a router gone for days",
    { handshakeAgeSeconds: 300_000 },
    "Down",
    [
      "The last handshake with 198.51.100.1:51820 was 3 days ago. Check that your router is up and that its " +
        "address has not changed.",
    ],
  ],
  [
    "no handshake ever",
    { handshakeAgeSeconds: null, latencyMs: null },
    "Down",
    [
      "No handshake with 198.51.100.1:51820 yet. Check that this address and UDP port reach your router, " +
        "that your side holds the node's public key, and that its PersistentKeepalive is set.",
    ],
  ],
  [
    "no answer to pings",
    { latencyMs: null },
    "Up",
    [
      "fe80::1 does not answer pings through the tunnel. Check that it is on your tunnel interface and that " +
        "your firewall lets ICMP in.",
    ],
  ],
])("%s", (_, observed, state, issues) => {
  expect(judgeTunnel(routed(peeringOf(1)), { ...healthy, ...observed })).toMatchObject({ state, issues });
});

test("a tunnel that the router does not know is Down", () => {
  expect(judgeTunnel(routed(peeringOf(1)), undefined)).toEqual({
    state: "Down",
    rxBytes: 0,
    txBytes: 0,
    handshakeAgeSeconds: null,
    latencyMs: null,
    issues: ["The node does not run this tunnel at the moment. It is set up again on its own."],
  });
});
