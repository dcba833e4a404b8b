/** A participant announces unauthorised routes: no other router sees any of them, and a flood is cut off. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type LabParticipant, type RunningLab, startLab } from "../../src/lab/lab.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { nodes } from "../../src/lab/network.ts";
import { eventually } from "./eventually.ts";
import { findHost, createPeering, type LoggedInParticipant, logInToLab } from "./peering.ts";

/** The announced routes, with the reason of their rejection and the registry object that causes it. */
const refused: ReadonlyArray<readonly [prefix: string, reason: string, object: string]> = [
  ["0.0.0.0/0", "default route", ""],
  ["::/0", "default route", ""],
  ["172.20.222.128/25", "provider's own", ""],
  ["fd42:4242:2227:1::/64", "provider's own", ""],
  // Prefixes of the other participant.
  ["172.20.2.0/26", "ROA invalid", "route/172.20.2.0_26"],
  ["fd42:4242:2::/48", "ROA invalid", "route6/fd42:4242:2::_48"],
  // The participant's own prefixes, longer than their route object allows.
  ["172.20.1.0/27", "ROA invalid", "route/172.20.1.0_26"],
  ["172.20.1.32/30", "wrong length", ""],
  ["fd42:4242:1::/80", "wrong length", ""],
  ["172.20.100.0/24", "no ROA", "route/172.20.100.0_24"],
  ["fd42:9999::/48", "no ROA", "route6/fd42:9999::_48"],
  ["198.18.0.0/15", "outside ranges", ""],
  ["2001:db8::/32", "outside ranges", ""],
];
const unauthorised = refused.map(([prefix]) => prefix);
const flood = Array.from({ length: 10_000 }, (_, index) => `10.${100 + (index >> 8)}.${index & 255}.0/24`);

let lab: RunningLab;
let announcer: LabParticipant;
let witness: LabParticipant;
let member: LoggedInParticipant;

beforeAll(async () => {
  lab = await startLab({ port: 0, onMail: () => {} });
  const [one, other] = await Promise.all([logInToLab(lab, "4242420001"), logInToLab(lab, "4242420002")]);
  await Promise.all([createPeering(lab, one, "syd01"), createPeering(lab, other, "de01")]);
  member = one;
  [announcer, witness] = [one.participant, other.participant];
});
afterAll(() => lab[Symbol.asyncDispose]());

test("no other node and no other participant sees rejected routes", async () => {
  await announce(unauthorised);
  await waitForPropagation("static1", announcer.plan.ipv4.prefix);
  await waitForPropagation("static2", announcer.plan.ipv6.prefix);
  const filtered = await filteredOn("syd01");
  expect(unauthorised.filter((prefix) => !filtered.includes(prefix))).toEqual([]);
  await expectUnseen(unauthorised);
});

test("the participant sees the reason, the registry object and the fix for each rejected route", async () => {
  const { username, call } = member;
  const { routes, totals, cut, limits } = await call(calls.getRefusedRoutes, { username, node: "syd01" });
  const rows = routes.map(({ prefix, reason, object }) => [prefix, reason, object].join(" "));
  expect(rows.toSorted()).toEqual(refused.map((row) => row.join(" ")).toSorted());
  expect([totals, cut, limits]).toEqual([{ ipv4: 7, ipv6: 6 }, false, []]);
  const invalid = routes.find(({ prefix }) => prefix === "172.20.1.0/27");
  expect(invalid?.explanation).toContain("max-length");
  for (const { prefix, explanation, fix } of routes) {
    expect(explanation).toContain(prefix);
    expect(fix).not.toBe("");
  }
});

test("the session's limit stops a flood, and no other router sees it", async () => {
  await announce([...unauthorised, ...flood]);
  await waitForPropagation("static2", announcer.plan.ipv6.prefix);
  const shown = await eventually(
    () => host("syd01").run("birdc", "show", "protocols", "all", `dn42_${announcer.plan.asn}`),
    (text) => text.includes("[HIT]"),
  );
  expect(shown).toMatch(/Receive limit: +6000 \[HIT\]/);
  expect(shown).toContain("Established");
  await expectUnseen([...unauthorised, ...flood]);
  const { username, call } = member;
  const response = await eventually(
    () => call(calls.getRefusedRoutes, { username, node: "syd01" }),
    ({ totals }) => totals.ipv4 > 5000,
  );
  expect(response.cut).toBe(true);
  expect(response.limits.join()).toContain("6000");
  await announce([]);
});

const host = (name: string) => findHost(lab, name);

/**
 * Announces these prefixes in addition to the participant's own, without a filter on the participant's side.
 */
async function announce(prefixes: readonly string[]): Promise<void> {
  const { folder, run } = announcer.host;
  const sessions = join(folder, "bird/peers/syd01.conf");
  await run("sed", "-i", "s/export where.*;/export all;/", sessions);
  const of = (sign: string) =>
    prefixes.filter((prefix) => prefix.includes(sign)).map((prefix) => `route ${prefix} reject;\n`);
  await writeFile(
    join(folder, "bird/peers/bad.conf"),
    `protocol static bad4 { ipv4; ${of(".").join("")} }\nprotocol static bad6 { ipv6; ${of(":").join("")} }\n`,
  );
  expect(await run("birdc", "configure")).toContain("Reconfigur");
}

const routesOf = (router: LabHost) => router.run("birdc", "show", "route");
const filteredOn = (node: string) =>
  host(node).run("birdc", "show", "route", "filtered", "protocol", `dn42_${announcer.plan.asn}`);
const witnessRoutes = () => witness.host.run("vtysh", "-c", "show bgp ipv4", "-c", "show bgp ipv6");

/**
 * Withdraws a valid route, announces it again, and waits until the other participant follows: earlier
 * announcements would have arrived by then, too.
 */
async function waitForPropagation(protocol: string, prefix: string): Promise<void> {
  const { run } = announcer.host;
  await eventually(witnessRoutes, (shown) => shown.includes(prefix));
  await run("birdc", "disable", protocol);
  await eventually(witnessRoutes, (shown) => !shown.includes(prefix));
  await run("birdc", "enable", protocol);
  await eventually(witnessRoutes, (shown) => shown.includes(prefix));
}

/** @param prefixes as BIRD and FRR print them */
async function expectUnseen(prefixes: readonly string[]): Promise<void> {
  const seenIn = (shown: string) => {
    const seen = new Set(Array.from(shown.matchAll(/[0-9a-f.:]+\/[0-9]+/g), ([prefix]) => prefix));
    return prefixes.filter((prefix) => seen.has(prefix));
  };
  const accepted = await host("syd01").run(
    "birdc",
    "show",
    "route",
    "protocol",
    `dn42_${announcer.plan.asn}`,
  );
  expect(seenIn(accepted)).toEqual([]);
  const others = nodes.filter(({ name }) => name !== "syd01").map(({ name }) => routesOf(host(name)));
  // The other participant may announce its own prefixes.
  const witnessPrefixes = new Set([witness.plan.ipv4.prefix, witness.plan.ipv6.prefix]);
  for (const shown of [await witnessRoutes(), ...(await Promise.all(others))]) {
    expect(seenIn(shown).filter((prefix) => !witnessPrefixes.has(prefix))).toEqual([]);
  }
}
