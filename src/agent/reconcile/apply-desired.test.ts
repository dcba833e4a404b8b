import fc from "fast-check";
import { expect, test } from "vitest";
import type { Peering } from "../../contract/agent.ts";
import { createManualClock } from "../fixtures/manual-clock.ts";
import { createMemoryStore } from "../fixtures/memory-store.ts";
import { dualStackOf, peeringOf, rules, sender } from "../fixtures/peerings.ts";
import { createRecordedEvents } from "../fixtures/recorded-events.ts";
import { createScriptedRouter } from "../fixtures/scripted-router.ts";
import { silentLog } from "../fixtures/silent-log.ts";
import { type ApplyContext, applyDesired, validateDesired } from "./apply-desired.ts";
import { openReconciler } from "./reconciler.ts";

const nodeKey = Buffer.alloc(32, 5).toString("base64");

function errorOf(desired: Peering | null, asn = "4242420001", generation = 1): string | null {
  const error = validateDesired({ ...sender, asn, generation, desired }, rules, nodeKey);
  return error && `${error.field}: ${error.message}`;
}

test("accepts a valid desired state", () => {
  expect(errorOf(peeringOf(1))).toBeNull();
  expect(errorOf(dualStackOf(1))).toBeNull();
  expect(errorOf(dualStackOf(1, { addressFamily: "IPv4", peerIpv6: null, localIpv6: null }))).toBeNull();
  expect(errorOf(peeringOf(1, { addressFamily: "IPv6", extendedNextHop: false }))).toBeNull();
  expect(errorOf(null)).toBeNull();
});

test.each<[Partial<Peering>, string]>([
  [
    { endpointHost: "10.0.0.1" },
    "remote_ip: 10.0.0.1 is a private address. Enter the public address of your router.",
  ],
  [
    { endpointHost: "203.0.113.1" },
    "remote_ip: 203.0.113.1 is one of our nodes. Enter the address of your own router.",
  ],
  [{ endpointHost: "a b" }, "remote_ip: Not an IPv4 address or hostname."],
  [
    { endpointHost: "Router.Example.net" },
    "remote_ip: Router.Example.net is not written as router.example.net.",
  ],
  [{ endpointPort: 0 }, "remote_port: Not a port: a whole number from 1 to 65535, without leading zeros."],
  [{ endpointPort: 1.5 }, "remote_port: Not a port: a whole number from 1 to 65535, without leading zeros."],
  [{ listenPort: 65_536 }, "local_port: Not a port from 1 to 65535."],
  [{ publicKey: nodeKey }, "public_key: This is the node's own key. Enter the public key of your side."],
  [
    { publicKey: Buffer.alloc(32).toString("base64") },
    "public_key: This is not a usable WireGuard key (low-order point). Generate another one.",
  ],
  [{ asn: "4242420002" }, "asn: The peering is for AS4242420002, but the change is for AS4242420001."],
  [{ peerIpv6: null }, "peer_ipv6: The address family needs one."],
  [{ localIpv6: null }, "local_ipv6: The address family needs one."],
  [{ peerIpv6: "FE80::1" }, "peer_ipv6: FE80::1 is not written as fe80::1."],
  [
    { peerIpv6: "fe80::2227" },
    "peer_ipv6: fe80::2227 is the node's own side of this tunnel. Choose another address for yours.",
  ],
  [{ peerIpv6: "fd42:2227::9" }, "peer_ipv6: fd42:2227::9 belongs to us. Enter one of your own addresses."],
  [
    { peerIpv4: "172.21.1.1", localIpv4: "172.20.0.1" },
    "peer_ipv4: 172.21.1.1 does not belong to the chosen address family.",
  ],
  [{ localIpv4: "172.20.0.1" }, "local_ipv4: The tunnel carries no IPv4 for the participant."],
  [{ addressFamily: "IPv6" }, "bgp_extnh: Extended next hop needs both address families."],
])("%j is rejected by its field", (changed, error) => {
  expect(errorOf(peeringOf(1, changed))).toBe(error);
});

test("the error of a pre-shared key does not contain it", () => {
  const keys = ["short", "k".repeat(44), `${"A".repeat(43)}=`, `${"B".repeat(42)}A=\nEndpoint = 192.0.2.1:9`];
  for (const presharedKey of keys) {
    expect(errorOf(peeringOf(1, { presharedKey }))).toBe(
      "preshared_key: Not a pre-shared key: 32 bytes in base64, not all zero, as printed by 'wg genpsk'.",
    );
  }
});

test("validates the AS number and generation of the change", () => {
  expect(errorOf(null, "04242420001")).toBe("asn: Not an AS number.");
  expect(errorOf(null, "4242422227")).toBe("asn: This is the provider's own AS number.");
  expect(errorOf(null, "4242420001", 1.5)).toBe("generation: Not a whole number.");
  expect(errorOf(dualStackOf(1, { localIpv4: "192.0.2.1" }))).toBe(
    "local_ipv4: 192.0.2.1 is outside the network's ranges 172.20.0.0/14, 172.31.0.0/16 and 10.0.0.0/8.",
  );
});

test("accepted texts contain only characters of addresses, names and keys", () => {
  const field = fc.constantFrom(
    "endpointHost",
    "publicKey",
    "presharedKey",
    "peerIpv4",
    "peerIpv6",
    "localIpv4",
    "localIpv6",
  );
  const payload = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "\n[Peer]\nAllowedIPs=0.0.0.0/0",
      "; } protocol static {",
      "$(id)",
      "\u0000",
      "\u202E",
      "'",
    ),
  );
  fc.assert(
    fc.property(field, payload, fc.boolean(), (key, text, appended) => {
      const valid = dualStackOf(1, { presharedKey: Buffer.alloc(32, 7).toString("base64") });
      const desired = { ...valid, [key]: appended ? `${valid[key]}${text}` : text };
      if (errorOf(desired) === null) expect(desired[key]).toMatch(/^[A-Za-z0-9.:+/=-]+$/);
    }),
    { numRuns: 2000 },
  );
});

test("a refusal names the field alone, and the agent's log has what is wrong with the value", async () => {
  const logged: unknown[] = [];
  const context: ApplyContext = {
    reconciler: await openReconciler({
      router: createScriptedRouter(),
      store: createMemoryStore(),
      events: createRecordedEvents(),
      log: silentLog,
    }),
    lookup: { resolver: async () => [], rules, clock: createManualClock() },
    rules,
    nodeKey,
    log: { warn: (fields: unknown) => void logged.push(fields) } as ApplyContext["log"],
  };
  const desired = peeringOf(1, { publicKey: "AAAA" });
  expect(await applyDesired({ ...sender, asn: desired.asn, generation: 7, desired }, context)).toEqual({
    outcome: "refused",
    steps: [],
    reason: { code: "value-rejected", facts: { field: "public_key" } },
  });
  expect(logged).toEqual([
    {
      asn: desired.asn,
      generation: 7,
      field: "public_key",
      message: expect.stringMatching(/^Not a WireGuard public key: /),
    },
  ]);
});
