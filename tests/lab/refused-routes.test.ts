/** Routes that a real BIRD rejects with the policy, and what the agent says about them. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionDetail } from "../../src/agent/drivers/router.ts";
import { checkBgp } from "../../src/agent/observe/check-bgp.ts";
import type { RefusedRouteFacts } from "../../src/contract/call-tables/refused-route-facts.ts";
import { reasonCommunities } from "../../src/domain/peering/import-policy.ts";
import { eventually } from "./eventually.ts";
import { type JoinedNode, openJoinedNode } from "./joined-node.ts";

const asn = "4242420001";
const session = `dn42_${asn}`;
const roas = [
  "172.20.1.0/26 max 26 as 4242420001",
  "172.20.2.0/26 max 29 as 4242420002",
  "fd42:4242:1::/48 max 48 as 4242420001",
  "fd42:4242:2::/48 max 64 as 4242420002",
  "10.0.0.0/8 max 24 as 4242420001",
];
let { internet, node, participant, peering } = {} as JoinedNode;
/** The participant's bird.conf, without routes. */
let config: string;

beforeAll(async () => {
  ({ internet, node, participant, peering } = await openJoinedNode(roas));
  config = await readFile(at("bird.conf"), "utf8");
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

/** Announces these routes and no others; `changes` are statements of the export filter that modify some of them. */
async function announce(routes: readonly string[], changes = ""): Promise<void> {
  const of = (sign: string) => routes.filter((route) => route.includes(sign));
  const staticOf = (family: string, sign: string) =>
    `protocol static { ${family}; ${of(sign)
      .map((route) => `route ${route} blackhole;`)
      .join(" ")} }`;
  await writeFile(
    at("bird.conf"),
    config
      .replace(/^protocol static \{ ipv4; .*$/m, staticOf("ipv4", "."))
      .replace(/^protocol static \{ ipv6; .*$/m, staticOf("ipv6", ":"))
      .replaceAll(
        "export where source = RTS_STATIC;",
        `export filter { if source != RTS_STATIC then reject; ${changes} accept; };`,
      ),
  );
  await participant.run("birdc", "-s", at("bird.ctl"), "configure");
}

const at = (name: string) => path.join(participant.folder, name);
const facts = () => node.ask<RefusedRouteFacts>("refusedRoutes", asn);

function birdc(...command: readonly string[]): Promise<string> {
  return node.host.run("birdc", "-s", node.birdConfig.replace("bird.conf", "bird.ctl"), ...command);
}

/** The name of the reason and the origin of each route. */
const reasonsOf = ({ routes }: RefusedRouteFacts) =>
  Object.fromEntries(
    routes.map(({ prefix, reason, origin }) => [
      prefix,
      [reasonCommunities.get(reason ?? 0)?.reason, origin] as const,
    ]),
  );

/** Totals from BIRD's own count of the routes. */
async function countWithBird() {
  const text = await birdc("show", "route", "filtered", "protocol", session, "count");
  const [ipv4, ipv6] = [4, 6].map((version) =>
    Number(new RegExp(`^([0-9]+) of .* in table master${version}$`, "m").exec(text)?.[1]),
  );
  return { ipv4, ipv6 };
}

const [ownRoute4, ownRoute6] = ["172.20.1.0/26", "fd42:4242:1::/48"];
/** Routes with the reason of their refusal and their origin, of both families. */
const refusedRoutes = {
  "0.0.0.0/0": ["default route", asn],
  "8.8.8.0/24": ["outside ranges", asn],
  "172.20.16.0/28": ["provider's own", asn],
  "172.20.1.0/30": ["wrong length", asn],
  "172.20.3.0/27": ["no ROA", asn],
  "172.20.2.0/26": ["ROA invalid", asn],
  "172.20.1.32/27": ["ROA invalid", asn],
  "10.1.1.0/24": ["bogon in path", "65540"],
  "10.1.2.0/24": ["path too long", asn],
  "::/0": ["default route", asn],
  "2001:db8::/32": ["outside ranges", asn],
  "fd42:d42:0:1::/64": ["provider's own", asn],
  "fd42:4242::/32": ["wrong length", asn],
  "fd42:4242:3::/48": ["no ROA", asn],
  "fd42:4242:2::/48": ["ROA invalid", asn],
  "fd42:4242:1:1::/64": ["ROA invalid", asn],
};

test("each route is refused for its reason, while valid routes arrive", async () => {
  await announce(
    [ownRoute4, ownRoute6, ...Object.keys(refusedRoutes)],
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
  const refused = await eventually(facts, ({ routes }) => routes.length === 16);
  expect(reasonsOf(refused)).toEqual(refusedRoutes);
  expect(refused).toMatchObject({ totals: { ipv4: 9, ipv6: 7 }, limits: [] });
  expect(refused.routes.find(({ prefix }) => prefix === "10.1.2.0/24")?.asPath).toMatch(
    /^(4242420001 ){20,}…$/,
  );
  expect(await countWithBird()).toEqual(refused.totals);
  expect(await node.ask<string>("receivedRoutes", asn)).toMatch(/^8\.8\.8\.0\/24[^/]*refused: outside /m);
  const shown = await node.host.run("sh", "-c", "ip route; ip -6 route");
  for (const prefix of [ownRoute4, ownRoute6]) expect(shown).toContain(`${prefix} via`);
});

const table = (net: number) => Array.from(Array(10_000).keys(), (n) => `${net + (n >> 8)}.${n & 255}`);

test("10,000 rejected routes hit the limit, which is reported while it acts", async () => {
  await announce(["fd42:4242:3::/48", ...table(0).map((net) => `172.${net}.0/24`)]);
  const refused = await eventually(facts, ({ limits, totals }) => limits.length > 0 && totals.ipv6 === 1);
  const { routes } = refused;
  expect(refused).toMatchObject({
    totals: { ipv4: 6000, ipv6: 1 },
    limits: [{ family: "IPv4", kind: "receive", routes: 6000 }],
  });
  expect(routes.filter(({ family }) => family === "IPv4")).toHaveLength(500);
  expect(routes.filter(({ family }) => family === "IPv6")).toMatchObject([{ prefix: "fd42:4242:3::/48" }]);
  expect(await countWithBird()).toEqual(refused.totals);
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
  await announce([
    "0.0.0.0/0",
    // Announced already.
    "172.20.1.0/26",
    ...table(10)
      .slice(0, 4999)
      .map((net) => `10.${net}.0/24`),
  ]);
  const refused = await eventually(facts, ({ totals }) => totals.ipv4 === 1001);
  // The filter has marked one route, which need not be among the listed ones. The others are over the limit.
  const others = refused.routes.filter(({ prefix }) => prefix !== "0.0.0.0/0");
  expect(new Set(others.map(({ reason }) => reason))).toEqual(new Set([null]));
  expect(refused.limits).toEqual([{ family: "IPv4", kind: "import", routes: 4000 }]);
});
