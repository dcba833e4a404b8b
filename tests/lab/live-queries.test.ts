/** What a participant is told of a real router, over HTTP: the truth, and what mends it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type RunningLab, startLab } from "../../src/lab/lab.ts";
import { links } from "../../src/lab/network.ts";
import { eventually } from "./eventually.ts";
import { hostOf, peerWith, type SignedIn, signInto } from "./peering.ts";

let lab: RunningLab;
let bird: SignedIn;
let frr: SignedIn;

beforeAll(async () => {
  lab = await startLab({ port: 0, onMail: () => {} });
  [bird, frr] = await Promise.all([signInto(lab, "4242420001"), signInto(lab, "4242420002")]);
  await Promise.all([
    peerWith(lab, bird, "syd01", { bgp_extnh: "No", peer_ipv4: bird.participant.plan.ipv4.address }),
    peerWith(lab, frr, "syd01", { peer_ipv6: "fe80::2" }),
  ]);
  await Promise.all([settled(bird), settled(frr)]);
});
afterAll(() => lab[Symbol.asyncDispose]());

async function statusOf({ username, call }: SignedIn) {
  const [status] = await call(calls.getPeerStatus, { username });
  return status;
}

/** Until the node is content with the peering, its latency included. */
function settled(who: SignedIn) {
  return eventually(
    () => statusOf(who),
    (status) => status?.bgp_status === "OK" && status.latency !== "" && status.wg_status.issues.length === 0,
  );
}

const asking = ({ username }: SignedIn) => ({ username, node: "syd01" });

const ping = (who: SignedIn, family: "ipv4" | "ipv6") =>
  who.call(calls.pingCheck, { ...asking(who), addr_family: family });
const shownLinks = () => bird.call(calls.mapVPNStatus, undefined);
const sessionSince = () => hostOf(lab, "syd01").run("birdc", "show", "protocols", "dn42_4242420001_v6");

/** The node's address on the tunnel, which FRR knows its neighbour by. */
const neighbour = "fe80::2227:11";
const checkFrr = () => frr.call(calls.troubleshootBGP, asking(frr));
const configureFrr = (...commands: readonly string[]) =>
  frr.participant.host.run("vtysh", ...["configure terminal", ...commands].flatMap((line) => ["-c", line]));

test("the peering's status: tunnel, traffic, latency and every session", async () => {
  const status = await statusOf(bird);
  expect(status).toMatchObject({ node: "syd01", bgp_status: "OK", bgp_issues: [], deployment: null });
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

test("the node's status", async () => {
  const { results } = await bird.call(calls.getNodeStatus, asking(bird));
  expect(results).toMatchObject({ status: "OK", issues: [] });
  expect(results.load).toMatch(/^[0-9.]+, [0-9.]+, [0-9.]+$/);
});

test("what WireGuard and BIRD print", async () => {
  const details = (await frr.call(calls.getPeerDetails, asking(frr)))["syd01"];
  expect(details?.wg_details.output).toMatch(/^interface: dn42_4242420002\n/);
  expect(details?.wg_details.output).toContain("latest handshake:");
  expect(details?.wg_details.output).toContain("private key: (hidden)");
  expect(details?.bgp_details.output).toMatch(/BGP state: +Established/);
});

test("routes of both directions, and their counts", async () => {
  const received = await bird.call(calls.getPeerReceivedRoutes, asking(bird));
  expect(received.output).toContain("172.20.1.0/26");
  expect(received.output).toContain("fd42:4242:1::/48");
  // The other participant's too, which FRR announces a moment after its session is up.
  const advertised = await eventually(
    () => bird.call(calls.getPeerAdvertisedRoutes, asking(bird)),
    ({ output }) => output.includes("172.20.2.0/26"),
  );
  expect(advertised.output).toContain("172.20.222.0/24");
  const check = await bird.call(calls.troubleshootBGP, asking(bird));
  expect(check).toEqual({
    address_families: "OK",
    bgp_extnh: "OK",
    received_routes: { ipv4: 1, ipv6: 1 },
    filtered_routes: { ipv4: 0, ipv6: 0 },
    rejected_routes: { ipv4: 0, ipv6: 0 },
  });
});

test("pings of the participant's own tunnel addresses", async () => {
  expect(await ping(bird, "ipv4")).toMatchObject({
    result: "success",
    output: expect.stringContaining("172.20.1.1") as string,
  });
  expect(await ping(bird, "ipv6")).toMatchObject({
    result: "success",
    output: expect.stringContaining("0% packet loss") as string,
  });
  // It has no IPv4 address in the tunnel.
  expect(await ping(frr, "ipv4")).toMatchObject({ result: "failed" });
});

test("a restart of the sessions, which come back", async () => {
  const before = await sessionSince();
  const { output } = await bird.call(calls.restartBGPPeer, asking(bird));
  expect(output).toContain("dn42_4242420001_v6: restarted");
  await settled(bird);
  expect(await sessionSince()).not.toBe(before);
});

describe("when the participant's side does not match", () => {
  test("without extended next hop, the check says so", async () => {
    await configureFrr("router bgp 4242420002", `no neighbor ${neighbour} capability extended-nexthop`);
    const found = await eventually(checkFrr, ({ bgp_extnh: told }) => told.includes("does not announce"));
    expect(found.address_families).toBe("OK");
    expect(found.bgp_extnh).toContain("Your side of dn42_4242420002 does not announce extended next hop.");
    await configureFrr("router bgp 4242420002", `neighbor ${neighbour} capability extended-nexthop`);
    await settled(frr);
  });

  test("without one of the families, the check names it", async () => {
    await configureFrr(
      "router bgp 4242420002",
      "address-family ipv4 unicast",
      `no neighbor ${neighbour} activate`,
    );
    const found = await eventually(checkFrr, ({ address_families: told }) =>
      told.includes("does not announce"),
    );
    expect(found.address_families).toContain("Your side of dn42_4242420002 does not announce IPv4.");
    await configureFrr(
      "router bgp 4242420002",
      "address-family ipv4 unicast",
      `neighbor ${neighbour} activate`,
    );
    await settled(frr);
  });
});

test("the links between the nodes, and the one that goes down", async () => {
  const pairs = links.map((pair) => pair.toSorted().join(" ")).toSorted();
  const all = await eventually(shownLinks, (found) => found.every(({ status }) => status === "up"));
  expect(all.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(pairs);
  await hostOf(lab, "per01").run("ip", "link", "delete", "lab-za01");
  const broken = await eventually(shownLinks, (found) => found.some(({ status }) => status !== "up"));
  expect(broken.filter(({ status }) => status !== "up")).toEqual([
    { from: "per01", to: "za01", status: "down" },
  ]);
});

test("BIRD that has ended is a node with issues, and its own sessions are not called up", async () => {
  await hostOf(lab, "syd01").run("birdc", "down");
  await eventually(
    () => bird.call(calls.getNodeStatus, asking(bird)),
    ({ results }) => results.status === "Issues" && results.issues.some((issue) => issue.includes("BIRD")),
  );
  const status = await statusOf(bird);
  expect(status?.bgp_status).not.toBe("OK");
});
