/** Rejected routes as a participant sees them: the reason, the object in the demo's registry, and the fix. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { calls } from "#contract/calls.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type DemoServer, demoServer } from "./demo-server.ts";
import { deployPeering, type Participant, setNodeMode, signUp } from "./participant.ts";

const node = "syd01";
let server: DemoServer;
let participant: Participant;

beforeAll(async () => {
  server = await demoServer({ observeEveryMs: 500 });
  participant = await signUp(server.url, "4242420001");
});
afterAll(() => server[Symbol.asyncDispose]());

/** Adds a peering. The port of its endpoint selects what the simulated router of the participant announces. */
const peer = (who: Participant, on: string, remote_port: string) => deployPeering(who, on, { remote_port });

function refused(who: Participant, on = node) {
  return who.call(calls.getRefusedRoutes, { username: who.asn, node: on });
}

/** Waits until the session is up, then reads the rejected routes. */
async function refusedWhenUp(who: Participant, on = node) {
  // Other than queries of the router, the status can be read as often as needed.
  await waitFor(async () => {
    const statuses = await who.call(calls.getPeerStatus, { username: who.asn });
    const sessions = statuses.find((each) => each.node === on)?.sessions ?? [];
    const ipv6 = sessions.flatMap(({ routes }) => routes ?? []).find(({ family }) => family === "IPv6");
    expect(ipv6?.received).toBeGreaterThan(0);
  });
  return refused(who, on);
}

/** The prefixes in a listing of BIRD. */
function listPrefixes(output: string): readonly string[] {
  return output.match(/^[0-9a-f.:]+\/[0-9]+(?= )/gm) ?? [];
}

test("refused routes make the status Issues, and every number and listing of routes agrees", async () => {
  await peer(participant, "de01", "11");
  await refusedWhenUp(participant, "de01");
  const body = { username: participant.asn, node: "de01" };
  // Once in ten minutes the simulated network changes between two of these calls. An AS has 60 queries in a minute.
  const retries = { timeout: 20_000, interval: 2_000 };
  await vi.waitFor(async () => {
    const [{ totals }, received, check, statuses, advertised, samples] = await Promise.all([
      refused(participant, "de01"),
      participant.call(calls.getPeerReceivedRoutes, body),
      participant.call(calls.troubleshootBGP, body),
      participant.call(calls.getPeerStatus, body),
      participant.call(calls.getPeerAdvertisedRoutes, body),
      participant.call(calls.getNodeSeries, undefined),
    ]);
    const status = statuses.find((each) => each.node === "de01");
    const routes = status?.sessions.flatMap((session) => session.routes ?? []) ?? [];
    const count = (key: "received" | "accepted" | "refused" | "exported") => ({
      ipv4: routes.find(({ family }) => family === "IPv4")?.[key] ?? NaN,
      ipv6: routes.find(({ family }) => family === "IPv6")?.[key] ?? NaN,
    });
    const sum = (key: Parameters<typeof count>[0]) => count(key).ipv4 + count(key).ipv6;
    expect(status).toMatchObject({
      bgp_status: "Issues",
      findings: [{ code: "routes-refused", facts: { refused: 18, received: sum("received") } }],
    });
    expect(check.received_routes).toEqual(count("received"));
    expect(check.filtered_routes).toEqual(count("refused"));
    expect(totals).toEqual(count("refused"));
    const [accepted = ""] = received.output.split("Filtered:");
    expect(listPrefixes(received.output)).toHaveLength(sum("received"));
    // Those of the sample registry.
    expect(listPrefixes(accepted)).toEqual(["172.20.1.0/26", "172.20.18.0/26", "fd42:4242:1::/48"]);
    expect(listPrefixes(accepted)).toHaveLength(sum("accepted"));
    expect(listPrefixes(advertised.output)).toHaveLength(sum("exported"));
    const inTable = samples.nodes.find((each) => each.node === "de01");
    expect({ ipv4: inTable?.ipv4.at(-1), ipv6: inTable?.ipv6.at(-1) }).toEqual({
      ipv4: count("accepted").ipv4 + count("exported").ipv4,
      ipv6: count("accepted").ipv6 + count("exported").ipv6,
    });
  }, retries);
});

test("a route's reason is explained with the object of the registry that is at fault", async () => {
  await peer(participant, node, "11");
  const { routes, ...rest } = await refusedWhenUp(participant);
  expect(rest).toEqual({ totals: { ipv4: 9, ipv6: 9 }, cut: false, limits: [] });
  for (const { explanation, fix } of routes) expect([explanation, fix]).not.toContain("");
  const byPrefix = Object.fromEntries(routes.map((route) => [route.prefix, route]));
  for (const [prefix, reason, object] of [
    ["172.20.2.0/26", "ROA invalid", "route/172.20.2.0_26"],
    ["fd42:4242:1:1::/64", "ROA invalid", "route6/fd42:4242:1::_48"],
    ["172.20.1.0/30", "wrong length", ""],
  ] as const)
    expect(byPrefix[prefix]).toMatchObject({ reason, object });
  const unregistered = routes.find(({ reason, family }) => reason === "no ROA" && family === "IPv4");
  // The allocation is in the registry.
  expect(unregistered?.explanation).toContain("inetnum/172.20.0.0_14");
  const bogon = routes.find(({ reason }) => reason === "bogon in path");
  expect(bogon).toMatchObject({ origin: "65540", as_path: "4242420001 65540" });
});

test("a participant without rejected routes has an empty list, and sees no routes of others", async () => {
  const other = await signUp(server.url, "4242420002");
  await expect(refused(other)).rejects.toMatchObject({ status: 404, body: { field: "node" } });
  await peer(other, node, "51820");
  expect(await refusedWhenUp(other)).toEqual({
    routes: [],
    totals: { ipv4: 0, ipv6: 0 },
    cut: false,
    limits: [],
  });
});

test("an unreachable node is reported", async () => {
  await peer(participant, "per01", "19");
  expect((await refusedWhenUp(participant, "per01")).totals).toEqual({ ipv4: 1, ipv6: 1 });
  await setNodeMode(server.url, "per01", "offline");
  await expect(refused(participant, "per01")).rejects.toMatchObject({ status: 503 });
});
