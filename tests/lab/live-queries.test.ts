/**
 * The information about a real router that a participant gets over HTTP: the actual state, and how to fix
 * problems.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type RunningLab, startLab } from "../../src/lab/lab.ts";
import { links } from "../../src/lab/network.ts";
import { eventually } from "./eventually.ts";
import { findHost, createPeering, type LoggedInParticipant, logInToLab } from "./peering.ts";

let lab: RunningLab;
let bird: LoggedInParticipant;
let frr: LoggedInParticipant;

beforeAll(async () => {
  lab = await startLab({ port: 0, onMail: () => {} });
  [bird, frr] = await Promise.all([logInToLab(lab, "4242420001"), logInToLab(lab, "4242420002")]);
  await Promise.all([
    createPeering(lab, bird, "syd01", { bgp_extnh: "No", peer_ipv4: bird.participant.plan.ipv4.address }),
    createPeering(lab, frr, "syd01", { peer_ipv6: "fe80::2" }),
  ]);
  await Promise.all([waitUntilHealthy(bird), waitUntilHealthy(frr)]);
});
afterAll(() => lab[Symbol.asyncDispose]());

async function statusOf({ username, call }: LoggedInParticipant) {
  const [status] = await call(calls.getPeerStatus, { username });
  return status;
}

/** Waits until the node reports no issues for the peering, including its latency. */
function waitUntilHealthy(participant: LoggedInParticipant) {
  return eventually(
    () => statusOf(participant),
    (status) => status?.bgp_status === "OK" && status.latency !== "" && status.wg_status.issues.length === 0,
  );
}

const peeringOf = ({ username }: LoggedInParticipant) => ({ username, node: "syd01" });

const ping = (participant: LoggedInParticipant, family: "ipv4" | "ipv6") =>
  participant.call(calls.pingCheck, { ...peeringOf(participant), addr_family: family });
const shownLinks = () => bird.call(calls.mapVPNStatus, undefined);
const sessionSince = () => findHost(lab, "syd01").run("birdc", "show", "protocols", "dn42_4242420001_v6");

/** The node's address on the tunnel, by which FRR identifies its neighbour. */
const neighbour = "fe80::2227:11";
const checkFrr = () => frr.call(calls.troubleshootBGP, peeringOf(frr));
const configureFrr = (...commands: readonly string[]) =>
  frr.participant.host.run("vtysh", ...["configure terminal", ...commands].flatMap((line) => ["-c", line]));

test("the peering's status has tunnel, traffic, latency and every session", async () => {
  const status = await statusOf(bird);
  expect(status).toMatchObject({ node: "syd01", bgp_status: "OK", findings: [], deployment: null });
  expect(status?.wg_status).toMatchObject({ state: "Up", issues: [] });
  expect(status?.wg_status.handshake).toMatch(/^[0-9]+ (s|min) ago$/);
  expect(status?.wg_status.rx).toMatch(/^[1-9][0-9.]* (B|KiB)$/);
  expect(status?.wg_status.tx).toMatch(/^[1-9][0-9.]* (B|KiB)$/);
  expect(status?.latency).toMatch(/^[0-9.]+ ms$/);
  expect(status?.sessions.map(({ name, state }) => [name, state])).toEqual([
    ["dn42_4242420001_v4", "Established"],
    ["dn42_4242420001_v6", "Established"],
  ]);
});

test("the node's status is OK", async () => {
  const { results } = await bird.call(calls.getNodeStatus, peeringOf(bird));
  expect(results).toMatchObject({ status: "OK", issues: [] });
  expect(results.load).toMatch(/^[0-9.]+, [0-9.]+, [0-9.]+$/);
});

test("the details contain the output of WireGuard and BIRD", async () => {
  const details = (await frr.call(calls.getPeerDetails, peeringOf(frr)))["syd01"];
  expect(details?.wg_details.output).toMatch(/^interface: dn42_4242420002\n/);
  expect(details?.wg_details.output).toContain("latest handshake:");
  expect(details?.wg_details.output).toContain("private key: (hidden)");
  expect(details?.bgp_details.output).toMatch(/BGP state: +Established/);
});

test("lists the routes of both directions and their counts", async () => {
  const received = await bird.call(calls.getPeerReceivedRoutes, peeringOf(bird));
  expect(received.output).toContain("172.20.1.0/26");
  expect(received.output).toContain("fd42:4242:1::/48");
  // Includes the other participant's route, which FRR announces a moment after its session is up.
  const advertised = await eventually(
    () => bird.call(calls.getPeerAdvertisedRoutes, peeringOf(bird)),
    ({ output }) => output.includes("172.20.2.0/26"),
  );
  expect(advertised.output).toContain("172.20.222.0/24");
  const check = await bird.call(calls.troubleshootBGP, peeringOf(bird));
  expect(check).toEqual({
    address_families: "OK",
    bgp_extnh: "OK",
    received_routes: { ipv4: 1, ipv6: 1 },
    filtered_routes: { ipv4: 0, ipv6: 0 },
    rejected_routes: { ipv4: 0, ipv6: 0 },
  });
});

test("pings the participant's own tunnel addresses", async () => {
  expect(await ping(bird, "ipv4")).toMatchObject({
    result: "success",
    output: expect.stringContaining("172.20.1.1") as string,
  });
  expect(await ping(bird, "ipv6")).toMatchObject({
    result: "success",
    output: expect.stringContaining("0% packet loss") as string,
  });
  // This participant has no IPv4 address in the tunnel.
  expect(await ping(frr, "ipv4")).toMatchObject({ result: "failed" });
});

test("every node measures the round trip to the participant's endpoint, also one without a peering", async () => {
  const { endpoint, nodes } = await eventually(
    () => bird.call(calls.getEndpointRoundTrips, { username: bird.username }),
    (response) => response.nodes.every(({ latency }) => latency !== null),
  );
  expect(endpoint).toBe(bird.participant.plan.publicIp);
  expect(nodes.map(({ node }) => node)).toContain("syd01");
  expect(nodes.length).toBeGreaterThan(1);
  for (const { latency } of nodes) expect(latency).toBeLessThan(1_000);
});

test("restarts the sessions, and they come up again", async () => {
  const before = await sessionSince();
  const { output } = await bird.call(calls.restartBGPPeer, peeringOf(bird));
  expect(output).toContain("dn42_4242420001_v6: restarted");
  await waitUntilHealthy(bird);
  expect(await sessionSince()).not.toBe(before);
});

describe("a participant's router with different settings", () => {
  test("the check reports missing extended next hop", async () => {
    await configureFrr("router bgp 4242420002", `no neighbor ${neighbour} capability extended-nexthop`);
    const found = await eventually(checkFrr, ({ bgp_extnh: result }) => result.includes("does not announce"));
    expect(found.address_families).toBe("OK");
    expect(found.bgp_extnh).toContain(
      "Your router does not announce extended next hop in session dn42_4242420002.",
    );
    await configureFrr("router bgp 4242420002", `neighbor ${neighbour} capability extended-nexthop`);
    await waitUntilHealthy(frr);
  });

  test("the check names a missing address family", async () => {
    await configureFrr(
      "router bgp 4242420002",
      "address-family ipv4 unicast",
      `no neighbor ${neighbour} activate`,
    );
    const found = await eventually(checkFrr, ({ address_families: result }) =>
      result.includes("does not announce"),
    );
    expect(found.address_families).toContain(
      "Your router does not announce IPv4 in session dn42_4242420002.",
    );
    await configureFrr(
      "router bgp 4242420002",
      "address-family ipv4 unicast",
      `neighbor ${neighbour} activate`,
    );
    await waitUntilHealthy(frr);
  });
});

test("the links between the nodes are up and have round trips, except one that goes down", async () => {
  const pairs = links.map((pair) => pair.toSorted().join(" ")).toSorted();
  const all = await eventually(shownLinks, (found) => found.every(({ status }) => status === "up"));
  expect(all.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(pairs);
  const summary = await eventually(
    () => bird.call(calls.getNetworkSummary, undefined),
    (found) => found.links.length === pairs.length,
  );
  expect(summary.links.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(pairs);
  for (const { latency } of summary.links) expect(latency).toBeLessThan(1000);
  await findHost(lab, "per01").run("ip", "link", "delete", "lab-za01");
  const broken = await eventually(shownLinks, (found) => found.some(({ status }) => status !== "up"));
  expect(broken.filter(({ status }) => status !== "up")).toEqual([
    { from: "per01", to: "za01", status: "down" },
  ]);
});

test("a node whose BIRD has ended has issues, and its sessions are not up", async () => {
  await findHost(lab, "syd01").run("birdc", "down");
  await eventually(
    () => bird.call(calls.getNodeStatus, peeringOf(bird)),
    ({ results }) => results.status === "Issues" && results.issues.some((issue) => issue.includes("BIRD")),
  );
  // A status may come from a read that began before BIRD ended, and is shared for a second.
  await expect.poll(async () => (await statusOf(bird))?.bgp_status, { timeout: 60_000 }).not.toBe("OK");
});
