import fc from "fast-check";
import { expect, test } from "vitest";
import type { Peering } from "../../contract/agent.ts";
import { createManualClock } from "../fixtures/manual-clock.ts";
import { dualStackOf, peeringOf, rules, sender } from "../fixtures/peerings.ts";
import { createReconcilerScene } from "../fixtures/reconciler-scene.ts";
import { type ApplyContext, applyDesired, validateDesired } from "./apply-desired.ts";

const [firstKey, addedKey] = [5, 6].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [
  string,
  string,
];
const nodeKeys = () => [firstKey, addedKey] as const;

function errorOf(desired: Peering | null, asn = "4242420001", generation = 1) {
  return validateDesired({ ...sender, asn, generation, desired }, rules, nodeKeys());
}

// `tests/domain/check-peering.test.ts` and `hostile-input.test.ts` have the fields of a peering.
test.each<[unknown, Parameters<typeof errorOf>]>([
  [null, [null]],
  [null, [peeringOf(1)]],
  [null, [peeringOf(1), "4242420001", 0]],
  ["Not an AS number.", [null, "04242420001"]],
  ["This is the provider's own AS number.", [null, rules.providerAsn]],
  ["Not a whole number.", [null, "4242420001", 1.5]],
  ["Not a whole number.", [null, "4242420001", -1]],
  ["The peering is for AS4242420002, but the change is for AS4242420001.", [peeringOf(2)]],
  [expect.stringContaining("the node's own key"), [peeringOf(1, { publicKey: firstKey })]],
  [expect.stringContaining("the node's own key"), [peeringOf(1, { publicKey: addedKey })]],
  [expect.stringContaining("Not a WireGuard public key"), [peeringOf(1, { nodeKey: `${addedKey} ` })]],
  [expect.stringContaining("belongs to us"), [peeringOf(1, { peerIpv6: "fd42:2227::9" })]],
  [expect.stringContaining("is one of our nodes"), [peeringOf(1, { endpointHost: "203.0.113.1" })]],
])("%s: %j", (message, change) => {
  expect(errorOf(...change)?.message ?? null).toEqual(message);
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

test("accepted texts contain only characters of addresses, names and keys", () => {
  const addresses = ["peerIpv4", "peerIpv6", "localIpv4", "localIpv6"] as const;
  const field = fc.constantFrom("endpointHost", "publicKey", "presharedKey", "nodeKey", ...addresses);
  const hostile = ["\n[Peer]\nAllowedIPs=0.0.0.0/0", "; } protocol static {", "$(id)", "\0", "\u202E", "'"];
  const payload = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostile));
  fc.assert(
    fc.property(field, payload, fc.boolean(), (key, text, appended) => {
      const valid = dualStackOf(1, { presharedKey: firstKey, nodeKey: addedKey });
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
    nodeKeys,
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
