/** A participant announces what it may not: nobody else sees any of it, and too much of it is cut off. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LabParticipant, type RunningLab, startLab } from "../../src/lab/lab.ts";
import type { LabHost } from "../../src/lab/namespaces.ts";
import { nodes } from "../../src/lab/network.ts";
import { eventually } from "./eventually.ts";
import { hostOf, peerWith, signInto } from "./peering.ts";

const bad = [
  "0.0.0.0/0",
  "::/0",
  // The provider's own.
  "172.20.222.128/25",
  "fd42:4242:2227:1::/64",
  // Another participant's: ROA-invalid.
  "172.20.2.0/26",
  "fd42:4242:2::/48",
  // Of their own, and too long.
  "172.20.1.32/30",
  "fd42:4242:1::/80",
  // Nobody's: no ROA.
  "172.20.100.0/24",
  "fd42:9999::/48",
  // Not of this network.
  "198.18.0.0/15",
  "2001:db8::/32",
];
/** Announced with the bad ones: once these have arrived everywhere, the bad ones would have, too. */
const fences = ["172.20.1.0/27", "fd42:4242:1:1::/64", "fd42:4242:1:2::/64"] as const;
const flood = Array.from({ length: 10_000 }, (_, index) => `10.${100 + (index >> 8)}.${index & 255}.0/24`);

let lab: RunningLab;
let announcer: LabParticipant;
let witness: LabParticipant;

beforeAll(async () => {
  lab = await startLab({ port: 0, onMail: () => {} });
  const [one, other] = await Promise.all([signInto(lab, "4242420001"), signInto(lab, "4242420002")]);
  await Promise.all([peerWith(lab, one, "syd01"), peerWith(lab, other, "de01")]);
  [announcer, witness] = [one.participant, other.participant];
});
afterAll(() => lab[Symbol.asyncDispose]());

test("what the filters refuse is seen by no other node and no other participant", async () => {
  await announce([...bad, fences[0], fences[1]]);
  await arrived([fences[0], fences[1]]);
  const filtered = await filteredOn("syd01");
  expect(bad.filter((prefix) => !filtered.includes(prefix))).toEqual([]);
  await nobodySees(bad);
});

test("a flood is cut off by the session's limit, and seen by nobody", async () => {
  await announce([...bad, ...flood, fences[2]]);
  await arrived([fences[2]]);
  const shown = await eventually(
    () => host("syd01").run("birdc", "show", "protocols", "all", `dn42_${announcer.plan.asn}`),
    (text) => text.includes("[HIT]"),
  );
  expect(shown).toMatch(/Receive limit: +6000 \[HIT\]/);
  expect(shown).toContain("Established");
  await nobodySees([...bad, ...flood]);
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

async function arrived(prefixes: readonly string[]): Promise<void> {
  await eventually(witnessRoutes, (shown) => prefixes.every((prefix) => shown.includes(prefix)));
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
