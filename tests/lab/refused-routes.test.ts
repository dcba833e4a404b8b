/** Routes that a real BIRD rejects, from the announcement to the fix that the participant sees. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionDetail } from "../../src/agent/drivers/router.ts";
import { database, peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import { checkBgp } from "../../src/agent/observe/check-bgp.ts";
import { assessPeerings } from "../../src/agent/observe/assess-peerings.ts";
import { appliedSet } from "../../src/agent/reconcile/applied-peering.ts";
import type { Peering } from "../../src/contract/agent.ts";
import type { RefusedRouteFacts } from "../../src/contract/call-tables/refused-route-facts.ts";
import { issuesOf } from "../../src/domain/findings/status-findings.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { presentPeerStatus } from "../../src/server/agents/peer-status.ts";
import { presentRefusedRoutes } from "../../src/server/features/refused-routes/handlers.ts";
import { writeRegistryFiles } from "../../src/server/registry/fixtures/registry-files.ts";
import { createRegistry } from "../../src/server/registry/registry.ts";
import { createFolderSource } from "../../src/server/registry/registry-source.ts";
import { eventually } from "./eventually.ts";
import { type LabNode, openLabNode, startNodeBird } from "./lab-node.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { joinNode } from "./lab-participant.ts";

const nodeAddress = "198.51.100.254";
const asn = "4242420001";
const session = `dn42_${asn}`;
const roas = [
  "172.20.1.0/26 max 26 as 4242420001",
  "172.20.2.0/26 max 29 as 4242420002",
  "fd42:4242:1::/48 max 48 as 4242420001",
  "fd42:4242:2::/48 max 64 as 4242420002",
  "10.0.0.0/8 max 24 as 4242420001",
];
/** The registry objects from which these ROAs are made. */
const registryFiles = {
  "aut-num/AS4242420001": "mnt-by: ADA-MNT",
  "route/172.20.1.0_26": "origin: AS4242420001\nmax-length: 26",
  "route/172.20.2.0_26": "origin: AS4242420002\nmnt-by: BRAM-MNT",
  "route6/fd42:4242:1::_48": "origin: AS4242420001\nmax-length: 48",
  "route6/fd42:4242:2::_48": "origin: AS4242420002\nmnt-by: BRAM-MNT",
  "inetnum/172.20.3.0_24": "mnt-by: ADA-MNT",
};

let internet: Internet;
let participant: LabHost;
let node: LabNode;

beforeEach(async () => {
  internet = await openInternet();
  const host = await internet.host("syd01", `${nodeAddress}/24`);
  participant = await internet.host("participant", "198.51.100.1/24");
  await startNodeBird(host, roas);
  node = await openLabNode(host);
});

afterEach(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

async function join(routes: readonly string[]) {
  const keys = await makeKeys(participant);
  const peering = peeringOf(1, { publicKey: keys.publicKey });
  await node.set([routed(peering)]);
  const { publicKey } = await node.ask<{ publicKey: string }>("facts");
  await joinNode(participant, { keys, peering, nodeKey: publicKey, nodeAddress, routes });
  await eventually(
    () => node.observe(),
    ([first]) => first?.sessions.every(({ state }) => state === "Established") === true,
  );
  return peering;
}

/** Announces other IPv4 routes; `changes` are statements of the export filter that modify some of them. */
async function announce(ipv4: readonly string[], changes = ""): Promise<void> {
  const file = at("bird.conf");
  const config = await readFile(file, "utf8");
  const statics = ipv4.map((route) => `route ${route} blackhole;`).join(" ");
  await writeFile(
    file,
    config
      .replace(/^protocol static \{ ipv4; .*$/m, `protocol static { ipv4; ${statics} }`)
      .replaceAll(
        "export where source = RTS_STATIC;",
        `export filter { if source != RTS_STATIC then reject; ${changes} accept; };`,
      ),
  );
  await participant.run("birdc", "-s", at("bird.ctl"), "configure");
}

const at = (name: string) => path.join(participant.folder, name);
const facts = () => node.ask<RefusedRouteFacts>("refusedRoutes", asn);

/** The status of BGP as `getPeerStatus` returns it, with its findings alone. */
async function readBgpStatus(peering: Peering) {
  const applied = appliedSet([{ asn, generation: 1, routed: routed(peering), database }]);
  const observed = assessPeerings(applied, await node.observe(), new Map());
  const status = presentPeerStatus(
    { asn, node: "syd01", domain: "example.net", newNodeKey: null },
    observed,
    null,
  );
  const findings = issuesOf(status, "bgp").map(({ finding }) => finding);
  return { bgp_status: status.bgp_status, findings };
}

function birdc(...command: readonly string[]): Promise<string> {
  return node.host.run("birdc", "-s", node.birdConfig.replace("bird.conf", "bird.ctl"), ...command);
}

/** Presents the routes as a participant sees them, with the registry from which the ROAs are made. */
async function present(refused: RefusedRouteFacts) {
  const folder = path.join(node.host.folder, "registry");
  await writeRegistryFiles(folder, registryFiles);
  const registry = createRegistry({ source: createFolderSource(folder), maxAgeDays: 7, clock: Date.now });
  return presentRefusedRoutes("syd01.example.net", refused, registry);
}

/** Totals from BIRD's own count of the routes. */
async function countWithBird() {
  const text = await birdc("show", "route", "filtered", "protocol", session, "count");
  const [ipv4, ipv6] = [4, 6].map((version) =>
    Number(new RegExp(`^([0-9]+) of .* in table master${version}$`, "m").exec(text)?.[1]),
  );
  return { ipv4, ipv6 };
}

test("each reason is shown with its object, while a valid route arrives", async () => {
  const peering = await join(["172.20.1.0/26", "fd42:4242:1::/48"]);
  await announce(
    [
      "172.20.1.0/26",
      "0.0.0.0/0",
      "8.8.8.0/24",
      "172.20.16.0/28",
      "172.20.1.0/30",
      "172.20.3.0/27",
      "172.20.2.0/26",
      "172.20.1.32/27",
      "10.1.1.0/24",
      "10.1.2.0/24",
    ],
    [
      "if net = 10.1.1.0/24 then bgp_path.prepend(65540);",
      `if net = 10.1.2.0/24 then { ${"bgp_path.prepend(4242420001); ".repeat(60)} }`,
      // Many other communities before the provider's, and one that looks like it.
      "if net = 172.20.3.0/27 then {",
      "bgp_large_community.add((4242420001, 4242, 1)); bgp_large_community.add((4242422227, 4242, 1));",
      ...Array.from(Array(60).keys(), (n) => `bgp_large_community.add((${asn}, ${n}, 4294967295));`),
      "}",
    ].join(" "),
  );
  const refused = await eventually(facts, ({ routes }) => routes.length === 9);
  const { routes, ...rest } = await present(refused);
  expect(rest).toEqual({ totals: { ipv4: 9, ipv6: 0 }, cut: false, limits: [] });
  const rows = routes.map(
    ({ prefix, reason, object, origin }) => [prefix, [reason, object, origin]] as const,
  );
  expect(Object.fromEntries(rows)).toEqual({
    "0.0.0.0/0": ["default route", "", asn],
    "8.8.8.0/24": ["outside ranges", "", asn],
    "172.20.16.0/28": ["provider's own", "", asn],
    "172.20.1.0/30": ["wrong length", "", asn],
    "172.20.3.0/27": ["no ROA", "route/172.20.3.0_27", asn],
    "172.20.2.0/26": ["ROA invalid", "route/172.20.2.0_26", asn],
    "172.20.1.32/27": ["ROA invalid", "route/172.20.1.0_26", asn],
    "10.1.1.0/24": ["bogon in path", "", "65540"],
    "10.1.2.0/24": ["path too long", "", asn],
  });
  const explained = Object.fromEntries(routes.map(({ prefix, explanation }) => [prefix, explanation]));
  expect(explained).toMatchObject({
    "172.20.3.0/27": "The registry has no route object that covers 172.20.3.0/27.",
    "172.20.2.0/26":
      "route/172.20.2.0_26 covers 172.20.2.0/26 and names AS4242420002 as its origin, not AS4242420001.",
    "172.20.1.32/27":
      "route/172.20.1.0_26 has the max-length 26 for AS4242420001, and 172.20.1.32/27 is a /27.",
    "10.1.1.0/24": "The AS path contains AS65540, a reserved AS number.",
  });
  expect(routes.find(({ prefix }) => prefix === "10.1.2.0/24")?.as_path).toMatch(/^(4242420001 ){20,}…$/);
  expect(await countWithBird()).toEqual(rest.totals);
  expect(await node.ask<string>("receivedRoutes", asn)).toMatch(
    /^8\.8\.8\.0\/24[^/]*refused: outside the network's address ranges\]/m,
  );
  expect(await node.host.run("ip", "route")).toContain("172.20.1.0/26 via");

  expect(await readBgpStatus(peering)).toEqual({
    bgp_status: "Issues",
    findings: [{ code: "routes-refused", facts: { refused: 9, received: 11 } }],
  });
  await announce(["172.20.1.0/26"]);
  await eventually(facts, ({ totals }) => totals.ipv4 === 0);
  expect(await readBgpStatus(peering)).toEqual({ bgp_status: "OK", findings: [] });
});

test("IPv6 routes are explained like IPv4 routes", async () => {
  await join([
    "fd42:4242:1::/48",
    "::/0",
    "2001:db8::/32",
    "fd42:d42:0:1::/64",
    "fd42:4242::/32",
    "fd42:4242:3::/48",
    "fd42:4242:2::/48",
    "fd42:4242:1:1::/64",
  ]);
  const refused = await eventually(facts, ({ routes }) => routes.length === 7);
  const { routes, totals } = await present(refused);
  const rows = routes.map(
    ({ prefix, family, reason, object }) => [prefix, [family, reason, object]] as const,
  );
  expect(Object.fromEntries(rows)).toEqual({
    "::/0": ["IPv6", "default route", ""],
    "2001:db8::/32": ["IPv6", "outside ranges", ""],
    "fd42:d42:0:1::/64": ["IPv6", "provider's own", ""],
    "fd42:4242::/32": ["IPv6", "wrong length", ""],
    "fd42:4242:3::/48": ["IPv6", "no ROA", "route6/fd42:4242:3::_48"],
    "fd42:4242:2::/48": ["IPv6", "ROA invalid", "route6/fd42:4242:2::_48"],
    "fd42:4242:1:1::/64": ["IPv6", "ROA invalid", "route6/fd42:4242:1::_48"],
  });
  expect(totals).toEqual({ ipv4: 0, ipv6: 7 });
  expect(await node.host.run("ip", "-6", "route")).toContain("fd42:4242:1::/48 via");
});

const table = (net: number) => Array.from(Array(10_000).keys(), (n) => `${net + (n >> 8)}.${n & 255}`);

test("10,000 rejected routes hit the limit, which is reported while it acts", async () => {
  const peering = await join(["fd42:4242:3::/48", ...table(0).map((net) => `172.${net}.0/24`)]);
  const refused = await eventually(facts, ({ limits, totals }) => limits.length > 0 && totals.ipv6 > 0);
  const { routes, ...rest } = await present(refused);
  expect(rest).toEqual({
    totals: { ipv4: 6000, ipv6: 1 },
    cut: true,
    limits: [
      "The node stopped accepting IPv4 routes from you at 6000 (refused ones included) and accepts no new ones. " +
        "Announce fewer than 6000 IPv4 routes, then use Restart BGP. Until then the node refuses new routes.",
    ],
  });
  expect(routes.filter(({ family }) => family === "IPv4")).toHaveLength(500);
  expect(routes.filter(({ family }) => family === "IPv6")).toMatchObject([{ prefix: "fd42:4242:3::/48" }]);
  expect(await countWithBird()).toEqual(rest.totals);
  const check = async () => checkBgp(peering, await node.ask<readonly SessionDetail[]>("sessions", asn));
  const counts = {
    received_routes: { ipv4: 6000, ipv6: 1 },
    filtered_routes: { ipv4: 6000, ipv6: 1 },
    rejected_routes: { ipv4: 0, ipv6: 0 },
  };
  expect(await check()).toMatchObject(counts);
  // BIRD 2 drops its mark at every `configure`, which the agent runs for each deployment.
  await birdc("configure");
  expect((await facts()).limits).toEqual(refused.limits);
  expect(await check()).toMatchObject(counts);

  await announce(["172.20.1.0/26"]);
  await eventually(facts, ({ totals }) => totals.ipv4 === 0);
  await node.ask("restartBgp", asn);
  await eventually(
    () => node.host.run("ip", "route"),
    (text) => text.includes("172.20.1.0/26 via"),
  );
  expect((await facts()).limits).toEqual([]);
});

test("valid routes over the import limit are distinguished from rejected ones", async () => {
  await join([
    "0.0.0.0/0",
    ...table(10)
      .slice(0, 5000)
      .map((net) => `10.${net}.0/24`),
  ]);
  const refused = await eventually(facts, ({ totals }) => totals.ipv4 === 1001);
  const { routes, limits } = await present(refused);
  const reasons = new Set(routes.map(({ reason }) => reason));
  expect(reasons).toContain("over limit");
  expect(reasons).not.toContain("unmarked");
  expect(limits).toEqual([
    "The node stopped accepting IPv4 routes from you at 4000 and accepts no new ones. " +
      "Announce fewer than 4000 IPv4 routes, then use Restart BGP. Until then the node refuses new routes.",
  ]);
});
