import { expect, test } from "vitest";
import type { Finding } from "../../domain/findings/findings.ts";
import { createManualClock } from "../fixtures/manual-clock.ts";
import { rules } from "../fixtures/peerings.ts";
import { resolveEndpoint } from "./resolve-endpoint.ts";
import type { Resolver } from "./resolve-endpoint.ts";

const clock = createManualClock();
const host = "router.example.net";

function resolving(addresses: readonly string[] | Resolver, current: string | null = null, name = host) {
  const resolver: Resolver = typeof addresses === "function" ? addresses : async () => addresses;
  return resolveEndpoint(name, current === null ? null : { address: current }, { resolver, rules, clock });
}

const publicAddresses = ["198.51.100.8", "198.51.100.9"];

test.each([
  ["a literal address is not resolved", ["198.51.100.1"], null, "198.51.100.9", "198.51.100.9"],
  ["the first that is allowed", ["192.168.0.1", "2001:DB8::0:1", "198.51.100.9"], null, host, "2001:db8::1"],
  ["the current one while the name has it", publicAddresses, "198.51.100.9", host, "198.51.100.9"],
  ["the first if the name has it no longer", publicAddresses, "198.51.100.7", host, "198.51.100.8"],
])("the address of an endpoint: %s", async (_, addresses, current, name, address) => {
  expect(await resolving(addresses, current, name)).toEqual({ ok: true, address });
});

// `tests/domain/peering-rules.test.ts` has the other addresses.
test.each<[string[], Finding["code"], address?: string, name?: string]>([
  [[], "endpoint-unresolved"],
  [["not an address"], "endpoint-unresolved"],
  [["127.0.0.1"], "endpoint-not-public", "127.0.0.1"],
  [["FD42:2227::0:9"], "endpoint-is-provider", "fd42:2227::9"],
  [["203.0.113.1", "127.0.0.1"], "endpoint-is-node", "203.0.113.1"],
  [[], "endpoint-not-public", "10.0.0.1", "10.0.0.1"],
])(
  "%j is refused, although the current address was allowed: %s",
  async (addresses, code, address, name = host) => {
    const finding = { code, facts: { host: name } };
    const refused = { ok: false, finding, ...(address !== undefined && { refusedAddress: address }) };
    expect(await resolving(addresses, "198.51.100.9", name)).toEqual(refused);
  },
);

test("a failure and a timeout of the name servers are findings", async () => {
  expect(await resolving(() => Promise.reject(new Error("SERVFAIL")))).toEqual({
    ok: false,
    finding: { code: "endpoint-resolver-error", facts: { host } },
  });
  const signals: AbortSignal[] = [];
  const silent = resolving((_, signal) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  await clock.advance(4999);
  expect(signals[0]?.aborted).toBe(false);
  await clock.advance(1);
  const finding = { code: "endpoint-resolver-timeout", facts: { host, seconds: 5 } };
  expect(await silent).toEqual({ ok: false, finding });
  expect(signals[0]?.aborted).toBe(true);
});
