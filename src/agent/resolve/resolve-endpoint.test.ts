import { expect, test } from "vitest";
import { createManualClock } from "../fixtures/manual-clock.ts";
import { rules } from "../fixtures/peerings.ts";
import { resolveEndpoint } from "./resolve-endpoint.ts";
import type { Resolver } from "./resolver.ts";

const clock = createManualClock();
const host = "router.example.net";

function resolving(answer: readonly string[] | Resolver, current: string | null = null, name = host) {
  const resolver: Resolver = typeof answer === "function" ? answer : async () => answer;
  return resolveEndpoint(name, current, { resolver, rules, clock });
}

test("a literal address is not asked for", async () => {
  expect(await resolving(["198.51.100.1"], null, "198.51.100.9")).toEqual({
    ok: true,
    address: "198.51.100.9",
  });
});

test("the first address that may be an endpoint is taken, in canonical form", async () => {
  expect(await resolving(["192.168.0.1", "2001:DB8::0:1", "198.51.100.9"])).toEqual({
    ok: true,
    address: "2001:db8::1",
  });
});

test("an address that the name still has is kept", async () => {
  const answer = ["198.51.100.8", "198.51.100.9"];
  expect(await resolving(answer, "198.51.100.9")).toEqual({ ok: true, address: "198.51.100.9" });
  expect(await resolving(answer, "198.51.100.7")).toEqual({ ok: true, address: "198.51.100.8" });
});

test.each([
  [[], "router.example.net does not resolve to an address."],
  [["127.0.0.1"], "router.example.net resolves to 127.0.0.1, which is a loopback address."],
  [["203.0.113.1"], "router.example.net resolves to 203.0.113.1, which is a node of ours."],
  [["172.20.0.9"], "router.example.net resolves to 172.20.0.9, which is an address of ours."],
  [["not an address"], "router.example.net does not resolve to an address."],
])("%j is refused", async (answer, reason) => {
  expect(await resolving(answer)).toEqual({ ok: false, reason });
});

test("a name that flips to an inner address after it was taken is refused, the kept one included", async () => {
  expect(await resolving(["10.1.2.3"], "198.51.100.9")).toEqual({
    ok: false,
    reason: "router.example.net resolves to 10.1.2.3, which is a private address.",
  });
});

test("name servers that fail or do not answer within 5 s end in a sentence", async () => {
  expect(await resolving(() => Promise.reject(new Error("SERVFAIL")))).toEqual({
    ok: false,
    reason: "router.example.net could not be resolved: its name servers answer with an error.",
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
    reason: "router.example.net was not resolved within 5 s: its name servers do not answer.",
  });
  expect(signals[0]?.aborted).toBe(true);
});
