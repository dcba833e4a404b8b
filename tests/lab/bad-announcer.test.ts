/** A participant announces what it may not: nobody else sees any of it, and too much of it is cut off. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type LabParticipant, type RunningLab, startLab } from "../../src/lab/lab.ts";
import type { LabHost } from "../../src/lab/namespaces.ts";
import { nodes } from "../../src/lab/network.ts";
import { eventually } from "./eventually.ts";
import { hostOf, peerWith, type SignedIn, signInto } from "./peering.ts";

/** What the participant announces, with why it is refused and the registry's object at fault. */
const refused: ReadonlyArray<readonly [prefix: string, reason: string, object: string]> = [
  ["0.0.0.0/0", "default route", ""],
  ["::/0", "default route", ""],
  ["172.20.222.128/25", "provider's own", ""],
  ["fd42:4242:2227:1::/64", "provider's own", ""],
  // The other participant's.
  ["172.20.2.0/26", "ROA invalid", "route/172.20.2.0_26"],
  ["fd42:4242:2::/48", "ROA invalid", "route6/fd42:4242:2::_48"],
  // Their own, and longer than their route object allows.
  ["172.20.1.0/27", "ROA invalid", "route/172.20.1.0_26"],
  ["172.20.1.32/30", "wrong length", ""],
  ["fd42:4242:1::/80", "wrong length", ""],
  ["172.20.100.0/24", "no ROA", "route/172.20.100.0_24"],
  ["fd42:9999::/48", "no ROA", "route6/fd42:9999::_48"],
  ["198.18.0.0/15", "outside ranges", ""],
  ["2001:db8::/32", "outside ranges", ""],
];
const bad = refused.map(([prefix]) => prefix);
const flood = Array.from({ length: 10_000 }, (_, index) => `10.${100 + (index >> 8)}.${index & 255}.0/24`);

let lab: RunningLab;
let announcer: LabParticipant;
let witness: LabParticipant;
let signedIn: SignedIn;

beforeAll(async () => {
  lab = await startLab({ port: 0, onMail: () => {} });
  const [one, other] = await Promise.all([signInto(lab, "4242420001"), signInto(lab, "4242420002")]);
  await Promise.all([peerWith(lab, one, "syd01"), peerWith(lab, other, "de01")]);
  signedIn = one;
  [announcer, witness] = [one.participant, other.participant];
});
afterAll(() => lab[Symbol.asyncDispose]());

test("what the filters refuse is seen by no other node and no other participant", async () => {
  await announce(bad);
  await changesArrive("static1", announcer.plan.ipv4.prefix);
  await changesArrive("static2", announcer.plan.ipv6.prefix);
  const filtered = await filteredOn("syd01");
  expect(bad.filter((prefix) => !filtered.includes(prefix))).toEqual([]);
  await nobodySees(bad);
});

test("the participant is told of each refused route why, what is at fault, and what mends it", async () => {
  const { username, call } = signedIn;
  const { routes, totals, cut, limits } = await call(calls.getRefusedRoutes, { username, node: "syd01" });
  const told = routes.map(({ prefix, reason, object }) => [prefix, reason, object].join(" "));
  expect(told.toSorted()).toEqual(refused.map((row) => row.join(" ")).toSorted());
  expect([totals, cut, limits]).toEqual([{ ipv4: 7, ipv6: 6 }, false, []]);
  const invalid = routes.find(({ prefix }) => prefix === "172.20.1.0/27");
  expect(invalid?.explanation).toContain("max-length");
  for (const { prefix, explanation, cure } of routes) {
    expect(explanation).toContain(prefix);
    expect(cure).not.toBe("");
  }
});

test("a flood is cut off by the session's limit, and seen by nobody", async () => {
  await announce([...bad, ...flood]);
  await changesArrive("static2", announcer.plan.ipv6.prefix);
  const shown = await eventually(
    () => host("syd01").run("birdc", "show", "protocols", "all", `dn42_${announcer.plan.asn}`),
    (text) => text.includes("[HIT]"),
  );
  expect(shown).toMatch(/Receive limit: +6000 \[HIT\]/);
  expect(shown).toContain("Established");
  await nobodySees([...bad, ...flood]);
  const { username, call } = signedIn;
  const answer = await eventually(
    () => call(calls.getRefusedRoutes, { username, node: "syd01" }),
    ({ totals }) => totals.ipv4 > 5000,
  );
  expect(answer.cut).toBe(true);
  expect(answer.limits.join()).toContain("6000");
  await announce([]);
});

const host = (name: string) => hostOf(lab, name);

/** Announces just these beside the participant's own, with no filter on their side. */
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
 * Withdraws a good route and announces it again, and sees the other participant follow: what was announced
 * before would have arrived there by then, too.
 */
async function changesArrive(protocol: string, prefix: string): Promise<void> {
  const { run } = announcer.host;
  await eventually(witnessRoutes, (shown) => shown.includes(prefix));
  await run("birdc", "disable", protocol);
  await eventually(witnessRoutes, (shown) => !shown.includes(prefix));
  await run("birdc", "enable", protocol);
  await eventually(witnessRoutes, (shown) => shown.includes(prefix));
}

/** @param prefixes in the form in which BIRD and FRR print them */
async function nobodySees(prefixes: readonly string[]): Promise<void> {
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
  // The other participant announces their own prefixes, as is their right.
  const theirs = new Set([witness.plan.ipv4.prefix, witness.plan.ipv6.prefix]);
  for (const shown of [await witnessRoutes(), ...(await Promise.all(others))]) {
    expect(seenIn(shown).filter((prefix) => !theirs.has(prefix))).toEqual([]);
  }
}
