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
  return resolveEndpoint(name, current, { resolver, rules, clock });
}

test("does not resolve a literal address", async () => {
  expect(await resolving(["198.51.100.1"], null, "198.51.100.9")).toEqual({
    ok: true,
    address: "198.51.100.9",
  });
});

test("returns the first address that is allowed as an endpoint, in canonical form", async () => {
  expect(await resolving(["192.168.0.1", "2001:DB8::0:1", "198.51.100.9"])).toEqual({
    ok: true,
    address: "2001:db8::1",
  });
});

test("keeps the current address while the name still has it", async () => {
  const addresses = ["198.51.100.8", "198.51.100.9"];
  expect(await resolving(addresses, "198.51.100.9")).toEqual({ ok: true, address: "198.51.100.9" });
  expect(await resolving(addresses, "198.51.100.7")).toEqual({ ok: true, address: "198.51.100.8" });
});

test.each<[string[], Finding]>([
  [[], { code: "endpoint-unresolved", facts: { host } }],
  [["127.0.0.1"], { code: "endpoint-not-public", facts: { host, address: "127.0.0.1" } }],
  [["203.0.113.1"], { code: "endpoint-is-node", facts: { host, address: "203.0.113.1" } }],
  [["172.20.0.9"], { code: "endpoint-is-provider", facts: { host, address: "172.20.0.9" } }],
  [["FD42:2227::0:9"], { code: "endpoint-is-provider", facts: { host, address: "fd42:2227::9" } }],
  [["203.0.113.1", "127.0.0.1"], { code: "endpoint-is-node", facts: { host, address: "203.0.113.1" } }],
  [["not an address"], { code: "endpoint-unresolved", facts: { host } }],
])("%j is refused", async (addresses, finding) => {
  expect(await resolving(addresses)).toEqual({ ok: false, finding });
});

test("a literal address that cannot be an endpoint is refused", async () => {
  expect(await resolving([], null, "10.0.0.1")).toEqual({
    ok: false,
    finding: { code: "endpoint-not-public", facts: { host: "10.0.0.1", address: "10.0.0.1" } },
  });
});

test("refuses a name that changes to an internal address, although the current one was allowed", async () => {
  expect(await resolving(["10.1.2.3"], "198.51.100.9")).toEqual({
    ok: false,
    finding: { code: "endpoint-not-public", facts: { host, address: "10.1.2.3" } },
  });
});

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
  expect(await silent).toEqual({
    ok: false,
    finding: { code: "endpoint-resolver-timeout", facts: { host, seconds: 5 } },
  });
  expect(signals[0]?.aborted).toBe(true);
});
