/**
 * Every detector against what was recorded while a fault was planted (`npm run campaign:forwarding -- --record`). The node's
 * self-check runs again on what it read; the tables of the kernel, which no namespace has, are filled by hand.
 */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isConcerned } from "#agent/drivers/forwarding/forwarding-fault.ts";
import { database, routed } from "#agent/fixtures/peerings.ts";
import { assessPeerings } from "#agent/observe/assess-peerings.ts";
import { findUnanswered } from "#agent/observe/probe-findings.ts";
import { appliedSet } from "#agent/reconcile/applied-peering.ts";
import { isFault } from "#domain/findings/findings.ts";
import { type Fault, faults } from "./faults.ts";
import { judge, type Sample } from "./judge.ts";
import { checkRecorded } from "./kernel-facts.ts";
import { nothing, readRecording, type Recording, recordings } from "./recording.ts";

const recorded = readdirSync(recordings).map((file) => file.replace(".json", ""));

/** What the agent makes of a recording. What the self-check found then does not count: it finds it again. */
async function assess({ peerings, observed, findings, links, kernel }: Recording): Promise<Sample> {
  const applied = appliedSet(
    peerings.map((peering) => ({ asn: peering.asn, generation: 1, routed: routed(peering), database })),
  );
  const { faults: found } = await checkRecorded(peerings, kernel);
  const ofOthers = findings.filter(({ code }) => code.startsWith("link-") || code.startsWith("probes-"));
  const all = [...ofOthers, ...found.map(({ finding }) => finding), ...findUnanswered(observed)];
  const withCheck = observed.map((one) =>
    Object.assign({}, one, { isNotForwarded: isConcerned(found, one.asn) }),
  );
  return {
    health: { status: all.some(isFault) ? "Issues" : "OK", findings: all },
    peerings: assessPeerings(applied, withCheck, new Map()),
    links,
  };
}

test("nothing is found while nothing is wrong", async () => {
  const { health, peerings } = await assess(readRecording(nothing));
  expect(health).toEqual({ status: "OK", findings: [] });
  expect(peerings.flatMap(({ findings }) => findings)).toEqual([]);
});

test.each(recorded.filter((name) => name !== nothing))(
  "%s is named on the right side, and nothing else",
  async (name) => {
    const fault = faults.find(({ id }) => id === name);
    if (!fault) throw new Error(`there is no fault ${name}`);
    const { named, wrong } = judge(
      fault,
      await assess(readRecording(nothing)),
      await assess(readRecording(name)),
    );
    expect({ isNamed: named !== null, wrong }).toEqual({ isNamed: true, wrong: [] });
  },
);

const statistics = (entries: number) =>
  `entries  allocs   destroys hash_grows\n${entries.toString(16).padStart(8, "0")} 000033bf 00002f82 00000005\n`;

test.each<[Fault["codes"][number], string, Readonly<Record<string, string>>]>([
  [
    "conntrack-full",
    "connections",
    {
      "sys/net/netfilter/nf_conntrack_count": "65000\n",
      "sys/net/netfilter/nf_conntrack_max": "65536\n",
    },
  ],
  [
    "neighbours-full",
    "IPv4 neighbours",
    { "net/stat/arp_cache": statistics(1020), "sys/net/ipv4/neigh/default/gc_thresh3": "1024\n" },
  ],
  [
    "neighbours-full",
    "IPv6 neighbours",
    { "net/stat/ndisc_cache": statistics(1020), "sys/net/ipv6/neigh/default/gc_thresh3": "1024\n" },
  ],
])("%s: the table of %s is full, which is on the node", async (code, _, files) => {
  const usual = readRecording(nothing);
  const fault: Fault = {
    id: code,
    title: code,
    side: "ours",
    codes: [code],
    // Nothing is dropped yet.
    concerned: [],
    isForParticipants: false,
    plant: async () => {},
    remove: async () => {},
  };
  const full = await assess({ ...usual, kernel: { ...usual.kernel, files } });
  const { named, wrong } = judge(fault, await assess(usual), full);
  expect({ isNamed: named !== null, wrong }).toEqual({ isNamed: true, wrong: [] });
});
