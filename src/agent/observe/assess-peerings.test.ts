import { expect, test } from "vitest";
import type { PeeringObservation, SessionObservation } from "../drivers/router.ts";
import { peeringOf, routed, dualStackOf } from "../fixtures/peerings.ts";
import { assessTunnel, assessBgp } from "./assess-peerings.ts";

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
    "a router that has been down for days",
    { handshakeAgeSeconds: 300_000 },
    "Down",
    [
      "The last handshake with 198.51.100.1:51820 was 3 days ago. Check that your router is up and that its " +
        "address has not changed.",
    ],
  ],
  [
    "no handshake yet",
    { handshakeAgeSeconds: null, latencyMs: null },
    "Down",
    [
      "No handshake with 198.51.100.1:51820 yet. Check that this address and UDP port reach your router, " +
        "that it has the node's public key, and that PersistentKeepalive is set on it.",
    ],
  ],
  [
    "no reply to pings",
    { latencyMs: null },
    "Up",
    [
      "fe80::1 does not reply to pings through the tunnel. Check that this address is on your tunnel interface " +
        "and that your firewall allows ICMP.",
    ],
  ],
])("%s", (_, observed, state, issues) => {
  expect(assessTunnel(routed(peeringOf(1)), { ...healthy, ...observed })).toMatchObject({ state, issues });
});

test("a hostname that does not resolve is the first issue", () => {
  const error = "home.example.net does not resolve to an address.";
  const tunnel = assessTunnel(routed(peeringOf(1)), { ...healthy, handshakeAgeSeconds: null }, error);
  expect(tunnel).toMatchObject({
    endpointError: error,
    issues: [error, expect.stringMatching(/^No handshake/)],
  });
});

test("a tunnel that does not exist on the router is Down", () => {
  expect(assessTunnel(routed(peeringOf(1)), undefined)).toEqual({
    state: "Down",
    rxBytes: 0,
    txBytes: 0,
    handshakeAgeSeconds: null,
    latencyMs: null,
    endpointError: "",
    issues: ["The node is not running this tunnel at the moment. It will be set up again automatically."],
  });
});

function observeSessions(...sessions: SessionObservation[]): PeeringObservation {
  return { asn: "4242420001", rxBytes: 0, txBytes: 0, handshakeAgeSeconds: 1, latencyMs: 1, sessions };
}
const channel = { accepted: 2, filtered: 18, exported: 640, malformedUpdates: 0, limits: [] };
const v4: SessionObservation = {
  name: "dn42_4242420001_v4",
  state: "Established",
  detail: "",
  routes: [{ ...channel, family: "IPv4" }],
};
const v6: SessionObservation = { ...v4, name: "dn42_4242420001_v6", routes: [] };
const refused = { ...v6, state: "Active", detail: "Socket: Connection refused" };

const advice =
  "Check that your BGP daemon is running, that the neighbour address and both AS numbers match those under Edit " +
  "Peering, and that your firewall allows TCP port 179 on the tunnel.";

const status = (observation?: PeeringObservation) => assessBgp(dualStackOf(1), observation, "Up").bgpStatus;

test("the status is OK with all sessions up, Issues with some, Down with none, and Not found without sessions", () => {
  expect(status(observeSessions(v4, v6))).toBe("OK");
  expect(status(observeSessions(v4, refused))).toBe("Issues");
  expect(status(observeSessions(v4))).toBe("Issues");
  expect(status(observeSessions(refused))).toBe("Down");
  expect(status(observeSessions())).toBe("Not found");
  expect(status()).toBe("Not found");
});

test("shows each session with its address families, and how to fix one that is not up", () => {
  expect(assessBgp(dualStackOf(1), observeSessions(v4, refused), "Up")).toEqual({
    bgpStatus: "Issues",
    sessions: [
      {
        name: "dn42_4242420001_v4",
        families: ["IPv4"],
        state: "Established",
        detail: "",
        routes: [{ family: "IPv4", received: 20, accepted: 2, refused: 18, exported: 640 }],
      },
      {
        name: "dn42_4242420001_v6",
        families: ["IPv6"],
        state: "Active",
        detail: "Socket: Connection refused",
        routes: null,
      },
    ],
    bgpIssues: [`IPv6: your router refused the BGP connection (TCP 179). ${advice}`],
  });
});

test("where BIRD omits a number of routes, the routes of the session are unknown", () => {
  const silent = { ...v6, routes: [{ ...channel, family: "IPv6", filtered: null }] } as const;
  const { sessions } = assessBgp(dualStackOf(1), observeSessions(v4, silent), "Up");
  expect(sessions.map(({ routes }) => routes)).toEqual([expect.any(Array), null]);
});

test("gives the advice for two sessions that are down once", () => {
  const both = { state: "Active", detail: "Socket: Connection refused" };
  expect(assessBgp(dualStackOf(1), observeSessions({ ...v4, ...both }, refused), "Up").bgpIssues).toEqual([
    `IPv4 and IPv6: your router refused the BGP connection (TCP 179). ${advice}`,
  ]);
  expect(
    assessBgp(dualStackOf(1), observeSessions({ ...v4, state: "Connect" }, refused), "Up").bgpIssues,
  ).toEqual([
    `IPv4: no reply from your router. IPv6: your router refused the BGP connection (TCP 179). ${advice}`,
  ]);
});

test("while the tunnel is down, the only BGP issue is the tunnel", () => {
  expect(assessBgp(dualStackOf(1), observeSessions(refused), "Down").bgpIssues).toEqual([
    "BGP is waiting for the tunnel. Fix the tunnel first.",
  ]);
});

test.each([
  ["Active", "Socket: Connection refused", "your router refused the BGP connection (TCP 179)"],
  ["Idle", "Socket: Connection closed", "your router closed the BGP connection"],
  ["Idle", "Socket: Connection reset by peer", "your router closed the BGP connection"],
  ["Connect", "Socket: No route to host", "your router is not reachable through the tunnel"],
  ["Active", "Socket: Network is unreachable", "your router is not reachable through the tunnel"],
  ["Idle", "BGP Error: Bad peer AS", "the BGP session is Idle (BGP Error: Bad peer AS)"],
  ["Connect", "", "no reply from your router"],
  ["OpenSent", "", "the BGP session is OpenSent"],
])("%s (%s): %s", (state, detail, fault) => {
  const { bgpIssues } = assessBgp(dualStackOf(1), observeSessions(v4, { ...v6, state, detail }), "Up");
  expect(bgpIssues).toEqual([`IPv6: ${fault}. ${advice}`]);
});
