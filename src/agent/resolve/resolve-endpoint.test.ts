import { expect, test } from "vitest";
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

test.each([
  [[], "router.example.net does not resolve to an address."],
  [["127.0.0.1"], "router.example.net resolves to 127.0.0.1, which is a loopback address."],
  [["203.0.113.1"], "router.example.net resolves to 203.0.113.1, which is one of our nodes."],
  [["172.20.0.9"], "router.example.net resolves to 172.20.0.9, which is one of our addresses."],
  [["not an address"], "router.example.net does not resolve to an address."],
])("%j is refused", async (addresses, reason) => {
  expect(await resolving(addresses)).toEqual({ ok: false, reason });
});

test("refuses a name that changes to an internal address, although the current one was allowed", async () => {
  expect(await resolving(["10.1.2.3"], "198.51.100.9")).toEqual({
    ok: false,
    reason: "router.example.net resolves to 10.1.2.3, which is a private address.",
  });
});

test("a failure or timeout of the name servers returns a sentence", async () => {
  expect(await resolving(() => Promise.reject(new Error("SERVFAIL")))).toEqual({
    ok: false,
    reason: "router.example.net could not be resolved: its name servers return an error.",
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
    reason: "router.example.net could not be resolved within 5 s: its name servers do not respond.",
  });
  expect(signals[0]?.aborted).toBe(true);
});
