import { expect, test } from "vitest";
import type { PublicPeering } from "#contract/agent.ts";
import { mpBgpPeering } from "#domain/peering/fixtures/stored-peering.ts";
import type { DesiredPeering } from "../desired-peerings.ts";
import { describePlan } from "./describe-plan.ts";
import { planRecovery, type RecoveryInput } from "./plan-recovery.ts";

const asn = "4242420001";
const addresses = { peerIpv4: "172.20.1.5", localIpv4: "172.20.222.12" };
const peering: PublicPeering = { ...mpBgpPeering, extendedNextHop: false, ...addresses };
const { listenPort: _port, localIpv4: _ipv4, localIpv6: _ipv6, ...submitted } = peering;
const request = { ...submitted, customLocalIpv6: null, mtu: null, probeAddress: null, presharedKey: null };

const desiredOf = (values: PublicPeering, generation = 3): DesiredPeering => ({
  asn: values.asn,
  node: "de01",
  generation,
  revision: generation,
  present: true,
  request: { ...request, asn: values.asn },
  peering: values,
});

/** Of the database that was lost. */
const database = "0d3a1c52-owner";

const storedAs = (values: PublicPeering, hasPresharedKey?: true) => [
  { asn, generation: 12, database, peering: values, ...(hasPresharedKey && { hasPresharedKey }) },
];

const plan = (changes: Partial<RecoveryInput>) =>
  planRecovery({
    node: "de01",
    linkLocal: "fe80::2227",
    stored: storedAs(peering),
    desired: [],
    inConflict: new Set([asn]),
    deploying: new Set(),
    ignored: 0,
    ...changes,
  });

test("rebuilds what the participant submitted", () => {
  expect(plan({}).add).toEqual([
    { asn, node: "de01", generation: 12, revision: 12, present: true, request, peering },
  ]);
  const custom = { ...peering, localIpv6: "fd42:1::1" };
  const [added] = plan({ stored: storedAs(custom) }).add;
  expect(added?.request.customLocalIpv6).toBe("fd42:1::1");
  const onlyIpv4: PublicPeering = { ...peering, addressFamily: "IPv4", peerIpv6: null, localIpv6: null };
  const [ipv4] = plan({ stored: storedAs(onlyIpv4) }).add;
  expect(ipv4?.request).toMatchObject({ addressFamily: "IPv4", peerIpv6: null, customLocalIpv6: null });
});

test("leaves peerings without a conflict as they are", () => {
  const desired = [desiredOf({ ...peering, endpointPort: 7 }, 13)];
  const nothing = { add: [], change: [], remove: [], pair: [] };
  const unchanged = { ...nothing, unchanged: 1, newestGeneration: 12 };
  expect(plan({ desired, inConflict: new Set() })).toMatchObject(unchanged);
});

test("pairs a peering that differs only by its database", () => {
  const paired = { add: [], change: [], pair: [{ asn, generation: 12 }], resolved: [asn] };
  expect(plan({ desired: [desiredOf(peering, 12)] })).toMatchObject(paired);
});

test("says which pre-shared keys only the node has", () => {
  const stored = storedAs(peering, true);
  const added = plan({ stored });
  expect(added.add[0]?.request.presharedKey).toBe("unknown");
  expect(describePlan(added, "de01.example.net")).toContain(
    `KEY     AS${asn}: its pre-shared key is on the node only.`,
  );
  expect(describePlan(plan({}), "de01.example.net")).not.toContain("KEY");
  const known = desiredOf(peering, 12);
  const before = {
    ...known,
    request: { ...known.request, presharedKey: "entered" },
    peering: { ...peering, presharedKey: { sealed: "sealed" } },
  } as const;
  expect(plan({ stored, desired: [before] }).change).toEqual([]);
  expect(plan({ stored, desired: [known] }).change).toHaveLength(1);
});

test("stops at a value that another peering of the database uses, and at a running deployment", () => {
  const other = desiredOf({ ...peering, asn: "4242420002", publicKey: "", peerIpv4: null, peerIpv6: null });
  expect(plan({ desired: [other] }).obstacles).toEqual([
    "AS4242420001 on the node and AS4242420002 in the database use the same UDP port, 20001. Delete the peering of " +
      "AS4242420002 first, or remove that of AS4242420001 from the node.",
  ]);
  const running = "A deployment of AS4242420001 is running. Wait for it to finish.";
  expect(plan({ deploying: new Set([asn]) }).obstacles).toEqual([running]);
});
