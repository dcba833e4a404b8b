import fc from "fast-check";
import { expect, test } from "vitest";
import type { Peering } from "../../contract/agent.ts";
import { createManualClock } from "../fixtures/manual-clock.ts";
import { dualStackOf, peeringOf, rules, sender } from "../fixtures/peerings.ts";
import { createReconcilerScene } from "../fixtures/reconciler-scene.ts";
import { type ApplyContext, applyDesired, validateDesired } from "./apply-desired.ts";

const nodeKey = Buffer.alloc(32, 5).toString("base64");

function errorOf(desired: Peering | null, asn = "4242420001", generation = 1) {
  return validateDesired({ ...sender, asn, generation, desired }, rules, nodeKey);
}

test.each([
  peeringOf(1),
  dualStackOf(1),
  dualStackOf(1, { addressFamily: "IPv4", peerIpv6: null, localIpv6: null }),
  peeringOf(1, { addressFamily: "IPv6", extendedNextHop: false }),
  null,
])("accepts a valid desired state: %j", (desired) => {
  expect(errorOf(desired)).toBeNull();
});

// The tests of `src/domain/peering` have the texts.
test.each<[string, Partial<Peering>, string]>([
  ["remote_ip", { endpointHost: "10.0.0.1" }, "is a private address"],
  ["remote_ip", { endpointHost: "203.0.113.1" }, "is one of our nodes"],
  ["remote_ip", { endpointHost: "a b" }, "Not an IPv4 address or hostname"],
  ["remote_ip", { endpointHost: "Router.Example.net" }, "is not written as router.example.net"],
  ["remote_port", { endpointPort: 0 }, "Not a port"],
  ["remote_port", { endpointPort: 1.5 }, "Not a port"],
  ["local_port", { listenPort: 65_536 }, "Not a port from 1 to 65535."],
  ["public_key", { publicKey: nodeKey }, "the node's own key"],
  ["public_key", { publicKey: Buffer.alloc(32).toString("base64") }, "low-order point"],
  ["asn", { asn: "4242420002" }, "is for AS4242420002, but the change is for AS4242420001."],
  ["peer_ipv6", { peerIpv6: null }, "The address family needs one."],
  ["local_ipv6", { localIpv6: null }, "The address family needs one."],
  ["peer_ipv6", { peerIpv6: "FE80::1" }, "is not written as fe80::1."],
  ["peer_ipv6", { peerIpv6: "fe80::2227" }, "is the node's own side of this tunnel"],
  ["peer_ipv6", { peerIpv6: "fd42:2227::9" }, "belongs to us"],
  ["peer_ipv4", { peerIpv4: "172.21.1.1", localIpv4: "172.20.0.1" }, "does not belong to the chosen"],
  ["local_ipv4", { localIpv4: "172.20.0.1" }, "The tunnel carries no IPv4"],
  ["bgp_extnh", { addressFamily: "IPv6" }, "needs both address families"],
])("%s: %j is rejected", (field, changed, message) => {
  expect(errorOf(peeringOf(1, changed))).toEqual({ field, message: expect.stringContaining(message) });
});

test.each(["short", "k".repeat(44), `${"A".repeat(43)}=`, `${"B".repeat(42)}A=\nEndpoint = 192.0.2.1:9`])(
  "the error of a pre-shared key does not contain it: %j",
  (presharedKey) => {
    expect(errorOf(peeringOf(1, { presharedKey }))).toEqual({
      field: "preshared_key",
      message: expect.stringMatching(/^Not a pre-shared key: 32 bytes in base64, not all zero, as printed/),
    });
  },
);

test.each<[string, Parameters<typeof errorOf>, string]>([
  ["asn", [null, "04242420001"], "Not an AS number."],
  ["asn", [null, "4242422227"], "This is the provider's own AS number."],
  ["generation", [null, "4242420001", 1.5], "Not a whole number."],
  ["local_ipv4", [dualStackOf(1, { localIpv4: "192.0.2.1" })], "192.0.2.1 is outside the network's ranges"],
])("%s of a change is validated: %j", (field, change, message) => {
  expect(errorOf(...change)).toEqual({ field, message: expect.stringContaining(message) });
});

test("accepted texts contain only characters of addresses, names and keys", () => {
  const addresses = ["peerIpv4", "peerIpv6", "localIpv4", "localIpv6"] as const;
  const field = fc.constantFrom("endpointHost", "publicKey", "presharedKey", ...addresses);
  const hostile = ["\n[Peer]\nAllowedIPs=0.0.0.0/0", "; } protocol static {", "$(id)", "\0", "\u202E", "'"];
  const payload = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostile));
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
    reconciler: await createReconcilerScene().open(),
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
  const message = expect.stringMatching(/^Not a WireGuard public key: /);
  expect(logged).toEqual([{ asn: desired.asn, generation: 7, field: "public_key", message }]);
});
