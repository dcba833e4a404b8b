import { expect, test } from "vitest";
import type { Peering } from "../../contract/agent.ts";
import { type Finding, participantFix } from "../../domain/findings/findings.ts";
import type { PeeringProbes } from "../drivers/probe-results.ts";
import type { PeeringObservation, SessionObservation } from "../drivers/router.ts";
import { database, peeringOf, routed, dualStackOf } from "../fixtures/peerings.ts";
import { appliedSet } from "../reconcile/applied-peering.ts";
import { assessPeerings, assessTunnel, assessBgp } from "./assess-peerings.ts";

function probesWith(latencyMs: number | null, sent: number, lost: number): PeeringProbes {
  const counts = { latencyMs, sent, lost, missesInRow: lost };
  return {
    tunnel: [{ family: "IPv6", source: "fe80::2227", target: "fe80::1", ...counts }],
    way: [],
    network: null,
  };
}

const healthy: PeeringObservation = {
  asn: "4242420001",
  rxBytes: 2000,
  txBytes: 1000,
  handshakeAgeSeconds: 30,
  probes: probesWith(12.4, 20, 0),
  sessions: [],
};

const endpoint = "198.51.100.1:51820";
const noEndpoint = { endpointHost: null, endpointPort: null };

const withKey = { presharedKey: "PSK=" };
const never = { handshakeAgeSeconds: null, rxBytes: 0 };
const incomplete = { handshakeAgeSeconds: null, rxBytes: 148 };

test.each<[string, Partial<PeeringObservation>, Finding[]]>([
  ["a session's last second", { handshakeAgeSeconds: 180 }, []],
])("a tunnel is up with %s", (_, observed, findings) => {
  const assessed = assessTunnel(routed(peeringOf(1)), { ...healthy, ...observed });
  expect(assessed).toMatchObject({ state: "Up", findings });
});

const expired = { handshakeAgeSeconds: 181 };
const [port, ageSeconds, hasPresharedKey] = [20_001, 181, true];

test.each<[Partial<Peering>, Partial<PeeringObservation>, Finding["code"], object]>([
  [{}, expired, "handshake-expired", { endpoint, ageSeconds }],
  [{}, never, "no-handshake", { endpoint }],
  [withKey, { ...never, waitingSeconds: 370 }, "no-handshake", { endpoint, hasPresharedKey, seconds: 370 }],
  [{}, incomplete, "handshake-incomplete", {}],
  [withKey, incomplete, "handshake-incomplete", { hasPresharedKey }],
  [noEndpoint, { ...never, waitingSeconds: 9 }, "router-not-connected", { port, seconds: 9 }],
  [noEndpoint, expired, "router-disconnected", { port, ageSeconds }],
])("a tunnel with %j is down with %j: %s", (changed, observed, code, facts) => {
  const assessed = assessTunnel(routed(peeringOf(1, changed)), { ...healthy, ...observed });
  expect(assessed.state).toBe("Down");
  expect(assessed.findings).toEqual([{ code, facts: { hasPresharedKey: false, ...facts } }]);
});

test.each<[string, string | null | undefined, silent: "IPv4" | undefined, Finding["code"][]]>([
  ["the preferred one", "[2001:db8::1]:51820", undefined, []],
  ["the other one", "[2001:db8::1]:51820", "IPv4", ["endpoint-other-family"]],
  ["the other one, from another address", "[2001:db8::77]:4000", "IPv4", ["endpoint-other-family"]],
  ["the other one, not observed", undefined, "IPv4", ["endpoint-other-family"]],
  ["the other one, before WireGuard knows it", null, "IPv4", ["endpoint-other-family"]],
  [
    "the preferred one again, because the participant's packets come from there",
    "192.0.2.7:4000",
    "IPv4",
    [],
  ],
])("the family of the endpoint in use is %s", (_, inUse, silentFamily, codes) => {
  const peering = peeringOf(1, { endpointHost: "home.example.net" });
  const one = { asn: peering.asn, generation: 1, database };
  const applied = appliedSet([{ ...one, routed: { peering, endpointAddress: "2001:db8::1", silentFamily } }]);
  const [assessed] = assessPeerings(
    applied,
    [{ ...healthy, ...(inUse !== undefined && { endpoint: inUse }) }],
    new Map(),
  );
  expect(assessed?.findings.map(({ code }) => code).filter((code) => code.startsWith("endpoint"))).toEqual(
    codes,
  );
  expect(assessed?.tunnel).toMatchObject({ state: "Up", endpoint: inUse ?? null });
});

const appliedOf = (peering: Peering) =>
  appliedSet([{ asn: peering.asn, generation: 1, routed: routed(peering), database }]);

test("findings are in the order of the path: endpoint, tunnel, session", () => {
  const { asn } = healthy;
  const unresolved: Finding = { code: "endpoint-unresolved", facts: { host: "home.example.net" } };
  const codesOf = (peering: Peering) =>
    assessPeerings(appliedOf(peering), [{ ...healthy, ...never }], new Map([[asn, unresolved]])).map(
      (assessed) => [assessed.asn, assessed.tunnel.state, assessed.findings.map(({ code }) => code)],
    );
  expect(codesOf(peeringOf(1))).toEqual([
    [asn, "Down", ["endpoint-unresolved", "no-handshake", "session-waiting"]],
  ]);
  expect(codesOf(peeringOf(1, noEndpoint))).toEqual([
    [asn, "Down", ["no-endpoint", "router-not-connected", "session-waiting"]],
  ]);
});

test("a tunnel whose port another program uses, or that does not exist on the router, is Down", () => {
  const counters = { rxBytes: 0, txBytes: 0, handshakeAgeSeconds: null };
  const down = { state: "Down", ...counters, latencyMs: null, lossPercent: null, endpoint: null };
  const leftOut = { code: "port-in-use", facts: { port } } as const;
  expect(
    assessTunnel(routed(peeringOf(1)), { ...counters, asn: "4242420001", sessions: [], leftOut }),
  ).toEqual({
    ...down,
    findings: [leftOut],
  });
  expect(assessTunnel(routed(peeringOf(1)), undefined)).toEqual({
    ...down,
    findings: [{ code: "tunnel-not-running", facts: {} }],
  });
});

function observeSessions(...sessions: SessionObservation[]): PeeringObservation {
  return { asn: "4242420001", rxBytes: 0, txBytes: 0, handshakeAgeSeconds: 1, sessions };
}
const channel = { accepted: 2, filtered: 18, exported: 640, malformedUpdates: 0, limits: [] };
const v4: SessionObservation = {
  name: "dn42_4242420001_v4",
  state: "Established",
  detail: "",
  routes: [{ ...channel, family: "IPv4" }],
};
const v6: SessionObservation = { ...v4, name: "dn42_4242420001_v6", routes: [] };
const multiProtocol: SessionObservation = { ...v6, name: "dn42_4242420001" };
const refused = { ...v6, state: "Active", detail: "Socket: Connection refused" };

const ofV6 = { families: ["IPv6"], addresses: ["fe80::2227"] };
/** Of the routes of `v4`. */
const routesRefused: Finding = { code: "routes-refused", facts: { refused: 18, received: 20 } };

test.each<[string, PeeringObservation?]>([
  ["OK", observeSessions(v4, v6)],
  ["Issues", observeSessions(v4, refused)],
  ["Issues", observeSessions(v4)],
  ["Down", observeSessions(refused)],
  ["Not found", observeSessions()],
  ["Not found"],
])("the status of two sessions: %s", (status, observation) => {
  expect(assessBgp(dualStackOf(1), observation, "Up").bgpStatus).toBe(status);
});

test("shows each session with its address families, and what is wrong with one that is not up", () => {
  const routes = [{ family: "IPv4", received: 20, accepted: 2, refused: 18, exported: 640 }];
  expect(assessBgp(dualStackOf(1), observeSessions(v4, refused), "Up")).toEqual({
    bgpStatus: "Issues",
    sessions: [
      { ...v4, families: ["IPv4"], routes },
      { ...refused, families: ["IPv6"], routes: null },
    ],
    findings: [{ code: "session-refused", facts: ofV6 }, routesRefused],
  });
});

test("where BIRD omits a number of routes, the routes of the session are unknown", () => {
  const silent = { ...v6, routes: [{ ...channel, family: "IPv6", filtered: null }] } as const;
  const { sessions } = assessBgp(dualStackOf(1), observeSessions(v4, silent), "Up");
  expect(sessions.map(({ routes }) => routes)).toEqual([expect.any(Array), null]);
});

test("sessions that are down for the same cause have one finding", () => {
  const both = { families: ["IPv4", "IPv6"], addresses: ["172.20.0.1", "fe80::2227"] };
  const observed = observeSessions({ ...refused, name: v4.name }, refused);
  expect(assessBgp(dualStackOf(1), observed, "Up").findings).toEqual([
    { code: "session-refused", facts: both },
  ]);
  const different = observeSessions({ ...v4, state: "Connect" }, refused);
  expect(assessBgp(dualStackOf(1), different, "Up").findings).toEqual([
    { code: "session-silent", facts: { families: ["IPv4"], addresses: ["172.20.0.1"] } },
    { code: "session-refused", facts: ofV6 },
  ]);
});

function assess(observed: PeeringObservation, tunnel: "Up" | "Down") {
  const { bgpStatus, findings } = assessBgp(dualStackOf(1), observed, tunnel);
  return [bgpStatus, ...findings];
}

test("the node, not the participant, is named for a session that the operator disabled, also without a tunnel", () => {
  const off = { ...v6, state: "Down", isDisabled: true };
  const finding: Finding = {
    code: "session-disabled",
    facts: { families: ["IPv6"], sessions: ["dn42_4242420001_v6"] },
  };
  expect(assess(observeSessions(v4, off), "Up")).toEqual(["Issues", finding, routesRefused]);
  const bothOff = observeSessions({ ...off, name: v4.name }, off);
  const both = { families: ["IPv4", "IPv6"], sessions: [v4.name, v6.name] };
  expect(assess(bothOff, "Down")).toEqual(["Down", { ...finding, facts: both }]);
  expect(assess(observeSessions({ ...refused, name: v4.name }, off), "Down")).toEqual([
    "Down",
    finding,
    { code: "session-waiting", facts: {} },
  ]);
  expect(participantFix(finding)).toBe("");
});

test("while the tunnel is down, the only finding about BGP is the tunnel", () => {
  expect(assessBgp(dualStackOf(1), observeSessions(refused), "Down").findings).toEqual([
    { code: "session-waiting", facts: {} },
  ]);
});

test("while the node has no IPv6, only sessions over IPv6 wait for the tunnel", () => {
  const leftOut = { code: "node-without-ipv6", facts: {} } as const;
  const codes = (...sessions: SessionObservation[]) =>
    assessBgp(dualStackOf(1), { ...observeSessions(...sessions), leftOut }, "Up").findings.map(
      ({ code }) => code,
    );
  expect(codes({ ...v4, routes: [] }, refused)).toEqual(["session-waiting"]);
  expect(codes({ ...refused, name: v4.name }, refused)).toEqual(["session-waiting", "session-refused"]);
});

test("BIRD counts no routes of a session that is down, which is no finding about routes", () => {
  const routes = [{ ...channel, accepted: 0, filtered: 0, family: "IPv6" }] as const;
  const observed = observeSessions({ ...refused, name: v4.name }, { ...refused, routes });
  const { findings } = assessBgp(dualStackOf(1), observed, "Up");
  expect(findings.map(({ code }) => code)).toEqual(["session-refused"]);
});

const shutDown = "Received: Administrative shutdown";
const stopped = "Received: Administratively stop";
const missing = "BGP Error: Required capability missing";

test.each([
  ["Active", "Socket: Connection refused", "session-refused", {}],
  ["Idle", "Socket: Connection closed", "session-closed", {}],
  ["Idle", "Socket: Connection reset by peer", "session-closed", {}],
  ["Connect", "Socket: No route to host", "session-unreachable", {}],
  ["Active", "Socket: Network is unreachable", "session-unreachable", {}],
  ["Idle", "BGP Error: Bad peer AS", "session-wrong-as", {}],
  ["Idle", "Received: Bad peer AS", "session-wrong-as", {}],
  ["OpenSent", "Received: Hold timer expired", "session-hold-timer", {}],
  ["Active", "BGP Error: Hold timer expired", "session-hold-timer", {}],
  ["Idle", shutDown, "session-shut-down", { output: shutDown }],
  ["Active", stopped, "session-shut-down", { output: stopped }],
  ["Idle", missing, "session-not-established", { state: "Idle", output: missing }],
  ["Idle", "", "session-silent", {}],
  ["Connect", "", "session-silent", {}],
  ["Active", "", "session-silent", {}],
  ["OpenSent", "", "session-not-established", { state: "OpenSent", output: "" }],
])("%s (%s): %s", (state, detail, code, facts) => {
  const { findings } = assessBgp(dualStackOf(1), observeSessions(v4, { ...v6, state, detail }), "Up");
  expect(findings).toEqual([{ code, facts: { ...ofV6, ...facts } }, routesRefused]);
});

const flapping = (holdTimerEnds: number) => ({ flaps: { holdTimerEnds, sinceSeconds: 480 } });
const capable = { families: ["IPv4", "IPv6"], extendedNextHop: true } as const;
const flaps: Finding = { code: "session-flapping", facts: { families: ["IPv6"], times: 3, seconds: 480 } };
const noRoutes = { ...v4, routes: [] };

test.each<[string, SessionObservation, string, Finding[]]>([
  ["that ended twice by its hold timer", { ...v6, ...flapping(2) }, "OK", []],
  ["that flaps, while it is up", { ...v6, ...flapping(3) }, "Issues", [flaps]],
  [
    "that flaps, while it is not up",
    { ...v6, ...flapping(3), state: "Idle", detail: "Received: Hold timer expired" },
    "Issues",
    [{ code: "session-hold-timer", facts: ofV6 }, flaps],
  ],
  [
    "whose router closes connections while it waits after the hold timer",
    { ...v6, ...flapping(1), state: "Active", detail: "Socket: Connection closed" },
    "Issues",
    [{ code: "session-hold-timer", facts: ofV6 }],
  ],
  [
    "whose router has no BGP daemon any more",
    { ...refused, ...flapping(1) },
    "Issues",
    [{ code: "session-refused", facts: ofV6 }],
  ],
  [
    "whose neighbour confirms nothing",
    { ...v6, unconfirmedSeconds: 45 },
    "Issues",
    [{ code: "session-stuck", facts: { families: ["IPv6"], seconds: 45 } }],
  ],
  ["whose capabilities are not read", { ...v6, neighbour: null }, "OK", []],
  ["whose neighbour announces all", { ...v6, neighbour: capable }, "OK", []],
  [
    "whose neighbour does not announce the address family",
    { ...v6, neighbour: { families: ["IPv4"], extendedNextHop: false } },
    "Issues",
    [{ code: "family-not-announced", facts: { session: v6.name, family: "IPv6" } }],
  ],
  [
    "that is not up, with capabilities of the last time",
    { ...v6, state: "Connect", neighbour: { families: [], extendedNextHop: false } },
    "Issues",
    [{ code: "session-silent", facts: ofV6 }],
  ],
])("a session %s", (_, session, status, findings) => {
  expect(assess(observeSessions(noRoutes, session), "Up")).toEqual([status, ...findings]);
});

test("two sessions that flap have one finding, and none while the tunnel is down", () => {
  const both = observeSessions({ ...noRoutes, ...flapping(4) }, { ...v6, ...flapping(3) });
  const facts = { families: ["IPv4", "IPv6"], times: 4, seconds: 480 };
  expect(assess(both, "Up")).toEqual(["Issues", { code: "session-flapping", facts }]);
  expect(assess(both, "Down")).toEqual(["OK"]);
});

test("one session for both address families has issues if its neighbour negotiates one", () => {
  const { name } = multiProtocol;
  const of = (families: Array<"IPv4" | "IPv6">, extendedNextHop: boolean) =>
    assessBgp(
      peeringOf(1),
      observeSessions({ ...multiProtocol, neighbour: { families, extendedNextHop } }),
      "Up",
    );
  expect(of(["IPv4", "IPv6"], true)).toMatchObject({ bgpStatus: "OK", findings: [] });
  const nextHop = { code: "extended-next-hop-missing", facts: { session: name } };
  expect(of(["IPv4", "IPv6"], false)).toMatchObject({ bgpStatus: "Issues", findings: [nextHop] });
  const family = { code: "family-not-announced", facts: { session: name, family: "IPv4" } };
  expect(of(["IPv6"], true)).toMatchObject({ bgpStatus: "Issues", findings: [family] });
  expect(of(["IPv6"], false)).toMatchObject({ bgpStatus: "Issues", findings: [family, nextHop] });
});

test("what was sent is unknown while the neighbour confirms nothing", () => {
  const routes = [{ ...channel, family: "IPv6", exported: null, filtered: 0 }] as const;
  const { sessions } = assessBgp(dualStackOf(1), observeSessions(v4, { ...v6, routes }), "Up");
  expect(sessions.map((session) => session.routes?.[0]?.exported)).toEqual([640, null]);
});
