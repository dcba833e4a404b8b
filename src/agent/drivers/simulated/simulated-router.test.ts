import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { Peering } from "#contract/agent.ts";
import { reasonCommunities } from "#domain/peering/import-policy.ts";
import { latencyOf } from "../../observe/probe-findings.ts";
import { createManualClock, type ManualClock } from "../../fixtures/manual-clock.ts";
import { dualStackOf, peeringOf, routed } from "../../fixtures/peerings.ts";
import { createSetRecord } from "../../fixtures/set-record.ts";
import { type RoutedPeering, RouterRefusedError, RouterUnavailableError } from "../router.ts";
import { createSimulatedRouter, type SimulatedRouter } from "./simulated-router.ts";

const nodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"];
let clock: ManualClock;
let router: SimulatedRouter;

beforeEach(() => {
  clock = createManualClock();
  router = routerOf("syd01");
});

type Options = Parameters<typeof createSimulatedRouter>[0];

function routerOf(node: string, options: Partial<Options> = {}): SimulatedRouter {
  return createSimulatedRouter({ node, providerAsn: "4242422227", nodes, clock, timeScale: 1, ...options });
}

/** Sets peerings and advances the clock by the time that the set takes. */
async function set(...desired: RoutedPeering[]): Promise<void> {
  const done = router.set(desired, createSetRecord());
  done.catch(() => {});
  await clock.advance(700);
  await done;
}

async function sessionStates() {
  return (await router.observe()).map(({ sessions }) =>
    sessions.map(({ state, detail }) => `${state} ${detail}`.trim()),
  );
}

/** The prefixes in a listing of BIRD. */
function listPrefixes(listing: string): readonly string[] {
  return listing.match(/^[0-9a-f:.]+\/\d+/gm) ?? [];
}

/** Sets peerings whose sessions come up, if they ever do. */
async function setUp(...desired: Peering[]): Promise<void> {
  await set(...desired.map((peering) => routed(peering)));
  await clock.advance(10_000);
}

const asn = "4242420001";

test("after a set and a BGP restart, the handshake comes first and BGP within three seconds", async () => {
  await set(routed(dualStackOf(1)));
  expect(await router.observe()).toMatchObject([{ handshakeAgeSeconds: null, rxBytes: 0 }]);
  await clock.advance(900);
  expect(await router.observe()).toMatchObject([{ handshakeAgeSeconds: 0 }]);
  await clock.advance(2000);
  expect(await sessionStates()).toEqual([["Established", "Established"]]);
  expect(await router.restartBgp(asn)).toEqual({
    ok: true,
    output: "BIRD 2.0.12 ready.\ndn42_4242420001_v4: restarted\ndn42_4242420001_v6: restarted\n",
  });
  expect(await sessionStates()).toEqual([["Connect", "Connect"]]);
  await clock.advance(3000);
  expect(await sessionStates()).toEqual([["Established", "Established"]]);
});

test("counters never decrease, handshakes are renewed, and the latency stays nearly constant", async () => {
  await setUp(peeringOf(1));
  const [start] = await router.observe();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3_600_000 }), async (ms) => {
      const [before] = await router.observe();
      await clock.advance(ms);
      const [after] = await router.observe();
      expect(after?.rxBytes).toBeGreaterThanOrEqual(before?.rxBytes ?? 0);
      expect(after?.txBytes).toBeGreaterThanOrEqual(before?.txBytes ?? 0);
      expect(after?.handshakeAgeSeconds).toBeLessThan(120);
      expect(Math.abs((latencyOf(after?.probes) ?? 0) / (latencyOf(start?.probes) ?? 1) - 1)).toBeLessThan(
        0.2,
      );
    }),
    { numRuns: 50 },
  );
});

test("a new endpoint restarts the tunnel of its peering only", async () => {
  await set(routed(peeringOf(1)), routed(peeringOf(2)));
  await clock.advance(60_000);
  await set(routed(peeringOf(1), "198.51.100.200"), routed(peeringOf(2)));
  const [moved, stayed] = await router.observe();
  expect(moved).toMatchObject({ asn, handshakeAgeSeconds: null });
  expect(stayed).toMatchObject({ asn: "4242420002", handshakeAgeSeconds: 60 });
  expect(stayed?.sessions).toMatchObject([{ state: "Established" }]);
});

test.each([
  [7, "Established", 0, null],
  [9, "Connect Socket: No route to host", null, null],
  [13, "Active Socket: Connection refused", 0, expect.any(Number)],
])("a participant on port %i", async (endpointPort, state, age, latency) => {
  await set(routed(peeringOf(1, { endpointPort })));
  await clock.advance(900);
  const observed = await router.observe();
  expect(observed.map(({ handshakeAgeSeconds: seconds, probes }) => [seconds, latencyOf(probes)])).toEqual([
    [age, latency],
  ]);
  await clock.advance(300_000);
  expect(await sessionStates()).toEqual([[state]]);
});

test("a participant on port 17 comes up without IPv4 and extended next hop", async () => {
  await setUp(peeringOf(1, { endpointPort: 17 }));
  const neighbour = { families: ["IPv6"], extendedNextHop: false };
  expect(await router.sessions(asn)).toMatchObject([
    { state: "Established", neighbour, routes: [{ family: "IPv6" }] },
  ]);
  const { bgp } = await router.details(asn);
  expect(bgp).toContain("  Channel ipv4\n    State:          DOWN\n");
  expect(bgp).toContain("    Neighbor capabilities\n      Multiprotocol\n        AF announced: ipv6\n");
});

test("prints the participant's routes like BIRD", async () => {
  await setUp(dualStackOf(1, { peerIpv4: "172.21.9.33" }));
  expect(await router.receivedRoutes(asn)).toBe(`\
BIRD 2.0.12 ready.
Table master4:
172.21.9.32/27       unicast [dn42_4242420001_v4 12:00:03.460] * (100) [AS4242420001i]
\tvia 172.21.9.33 on dn42_4242420001
Table master6:
fd0f:fb79:1b15::/48  unicast [dn42_4242420001_v6 12:00:03.305] * (100) [AS4242420001i]
\tvia fe80::1 on dn42_4242420001
`);
});

test("prints rejected routes last with the provider's community, and returns them as facts", async () => {
  await setUp(dualStackOf(1, { endpointPort: 19 }));
  expect(await router.receivedRoutes(asn)).toMatch(
    new RegExp(
      "\n\nFiltered:\nTable master4:\n(\\S+) +unicast \\[dn42_4242420001_v4 12:00:03.460\\] \\(100\\) " +
        "\\[AS4242420001i\\]\n\tvia 172.21.1.1 on dn42_4242420001\n\tBGP.as_path: 4242420001\n" +
        "\tBGP.large_community: \\(4242422227, 4242, 5\\) " +
        "\\[refused: no ROA: no route object covers the prefix\\]\nTable master6:\n",
    ),
  );
  const refused = { reason: 5, origin: asn, asPath: asn };
  expect(await router.refusedRoutes(asn)).toEqual({
    routes: [
      { ...refused, family: "IPv4", prefix: expect.stringMatching(/^172\.2\S+\/2\d$/) },
      { ...refused, family: "IPv6", prefix: expect.stringMatching(/^fd\S+::\/48$/) },
    ],
    totals: { ipv4: 1, ipv6: 1 },
    limits: [],
  });
});

test("a participant on port 11 triggers every reason of the filters, and keeps its valid routes", async () => {
  await set(routed(peeringOf(1, { endpointPort: 11 })));
  expect(await router.refusedRoutes(asn)).toMatchObject({ totals: { ipv4: 0, ipv6: 0 } });
  await clock.advance(5000);
  const { routes, totals } = await router.refusedRoutes(asn);
  for (const family of ["IPv4", "IPv6"]) {
    const reasons = routes.filter((route) => route.family === family).map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(reasonCommunities.keys()));
  }
  expect(totals).toEqual({ ipv4: 9, ipv6: 9 });
  const [session] = await router.sessions(asn);
  expect(session?.routes.map(({ filtered }) => filtered)).toEqual([9, 9]);
  expect(session?.routes.filter(({ accepted }) => accepted === null || accepted === 0)).toEqual([]);
});

test("round trips to an endpoint are as long as its distance, whatever asks", async () => {
  router = routerOf("syd01", { endpointRoundTripMs: () => 100 });
  await setUp(peeringOf(1));
  expect(await router.roundTrip("198.51.100.1")).toBe(100);
  const [observed] = await router.observe();
  expect(observed && latencyOf(observed.probes)).toBeGreaterThanOrEqual(100);
  expect(observed && latencyOf(observed.probes)).toBeLessThan(110);
});

test("advertises about two dozen routes per address family, the provider's own first", async () => {
  await setUp(peeringOf(1));
  const text = await router.advertisedRoutes(asn);
  const tables = text.split(/^Table master[46]:$/m);
  expect(tables).toHaveLength(3);
  for (const table of tables.slice(1)) {
    expect(Math.abs(listPrefixes(table).length - 26)).toBeLessThanOrEqual(3);
    expect(table).toMatch(/^\n\S+ +unreachable \[provider_v[46] \S+\] \* \(200\)\n/);
  }
  await clock.advance(10_000);
  expect(await router.advertisedRoutes(asn)).toBe(text);
});

test("with registered routes, every route exists, and the numbers agree with the listings", async () => {
  const registered = [
    { prefix: "172.20.222.0/24", origin: "4242422227" },
    { prefix: "172.20.1.0/26", origin: "4242420001" },
    { prefix: "172.20.18.0/26", origin: "4242420001" },
    { prefix: "172.20.18.0/26", origin: "4242420016" },
    { prefix: "172.20.2.0/26", origin: "4242420002" },
    { prefix: "fd42:4242:2::/48", origin: "4242420002" },
  ];
  router = routerOf("syd01", { registered });
  await setUp(peeringOf(1), peeringOf(2));
  const received = await router.receivedRoutes(asn);
  expect(listPrefixes(received)).toEqual(["172.20.1.0/26", "172.20.18.0/26"]);
  const advertised = await router.advertisedRoutes(asn);
  expect(listPrefixes(advertised)).toEqual(["172.20.222.0/24", "172.20.2.0/26", "fd42:4242:2::/48"]);
  expect(advertised).toMatch(
    /^172\.20\.2\.0\/26 +unicast \[dn42_4242420002_v4 \S+\] \* \(100\) \[AS4242420002i\]$/m,
  );
  // Without a peering with AS4242420002 on this node, its routes come from another node.
  await setUp(peeringOf(1));
  const elsewhere = await router.advertisedRoutes(asn);
  expect(elsewhere).toMatch(
    /^172\.20\.2\.0\/26 +unicast \[ibgp_(?!syd01)\w+_v4 \S+\] \* \(100\) \[AS4242420002i\]$/m,
  );
  expect(elsewhere).not.toContain("dn42_4242420002");
  const [session] = await router.sessions(asn);
  expect(session?.routes).toMatchObject([
    { family: "IPv4", accepted: 2, filtered: 0, exported: 2 },
    { family: "IPv6", accepted: 0, filtered: 0, exported: 1 },
  ]);
  expect(await router.usage()).toMatchObject({ routes: { ipv4: 4, ipv6: 1 } });
});

test("a ping takes three seconds, and ends early when aborted", async () => {
  await setUp(peeringOf(1));
  const whole = router.ping(asn, "fe80::1", new AbortController().signal);
  await clock.advance(3000);
  const statistics = "--- fe80::1%dn42_4242420001 ping statistics ---\n4 packets transmitted, 4 received";
  expect(await whole).toMatchObject({ result: "success", output: expect.stringContaining(statistics) });
  const abort = new AbortController();
  const cut = router.ping(asn, "fe80::1", abort.signal);
  abort.abort();
  expect((await cut).output).toContain("transmitted, ");
  expect(clock.sleepers()).toBe(0);
});

test("the round trip to an endpoint is close to the latency of its tunnel; a silent participant has none", async () => {
  await setUp(peeringOf(1), peeringOf(2, { endpointPort: 7 }));
  const [first] = await router.observe();
  const latency = (await router.roundTrip("198.51.100.1")) ?? 0;
  expect(Math.abs(latency / (latencyOf(first?.probes) ?? 1) - 1)).toBeLessThan(0.2);
  expect(await router.roundTrip("198.51.100.2")).toBeNull();
});

test("refusing a set gives a reason like BIRD's", async () => {
  router.setMode("refuse");
  const detail =
    "/etc/bird/peers/dn42_4242420001.conf:14:19 syntax error, unexpected CF_SYM_UNDEFINED, expecting ';'";
  await expect(set(routed(peeringOf(1)))).rejects.toEqual(
    new RouterRefusedError({ code: "bird-refused", facts: {} }, { detail }),
  );
  expect(await router.observe()).toEqual([]);
});

test("while offline, every call rejects, and a set in progress has no effect", async () => {
  const under = router.set([routed(peeringOf(1))], createSetRecord());
  under.catch(() => {});
  await clock.advance(100);
  router.setMode("offline");
  await clock.advance(10_000);
  await expect(under).rejects.toThrow(new RouterUnavailableError("This node is offline."));
  await expect(router.observe()).rejects.toThrow("This node is offline.");
  await expect(router.health()).rejects.toThrow("This node is offline.");
  router.setMode("normal");
  expect(await router.observe()).toEqual([]);
});

test("both ends of a link report the same state and round trip, and a link to an unreachable node is down", async () => {
  const expected = await Promise.all(
    nodes.map((node) => routerOf(node, { reachable: (other) => other !== "za01" }).links()),
  );
  const links = expected.flat();
  expect(links.length).toBeGreaterThanOrEqual(12);
  for (const { from, to, status, latencyMs } of links.filter(({ from: node }) => node !== "za01")) {
    const back = links.find((link) => link.from === to && link.to === from);
    expect(back).toBeDefined();
    if (to === "za01") expect(status).toBe("down");
    else expect(back).toMatchObject({ status, latencyMs });
    expect(latencyMs === null).toBe(status === "down");
  }
});
