import { expect, test } from "vitest";
import { createManualClock } from "../fixtures/manual-clock.ts";
import { rules } from "../fixtures/peerings.ts";
import type { Resolver } from "../resolve/resolve-endpoint.ts";
import { createRoundTripMeter } from "./endpoint-round-trips.ts";

const minuteMs = 60_000;

/** A meter whose names resolve to these addresses, and whose router measures 12.5 ms unless it is given a probe. */
function setUp(
  names: Readonly<Record<string, readonly string[]>> = {},
  probe: (address: string) => Promise<number | null> = async () => 12.5,
) {
  const clock = createManualClock();
  const probed: string[] = [];
  const resolved: string[] = [];
  const resolver: Resolver = async (name) => {
    resolved.push(name);
    return names[name] ?? [];
  };
  const roundTrip = (address: string) => {
    probed.push(address);
    return probe(address);
  };
  return {
    measure: createRoundTripMeter({ roundTrip }, { resolver, rules, clock }),
    clock,
    probed,
    resolved,
  };
}

test("measures an address, and a name by its first usable address", async () => {
  const { measure, probed } = setUp({ "router.example.net": ["10.0.0.1", "198.51.100.9"] });
  expect(await measure("198.51.100.7")).toBe(12.5);
  expect(await measure("router.example.net")).toBe(12.5);
  expect(probed).toEqual(["198.51.100.7", "198.51.100.9"]);
});

test("measures the other address family of a name whose first one does not reply", async () => {
  const names = {
    "both.example.net": ["198.51.100.8", "198.51.100.9", "2001:db8::8"],
    "a.example.net": ["198.51.100.9"],
  };
  const { measure, probed } = setUp(names, async (address) => (address.includes(":") ? 7 : null));
  expect([await measure("both.example.net"), await measure("a.example.net")]).toEqual([7, null]);
  expect(probed).toEqual(["198.51.100.8", "2001:db8::8", "198.51.100.9"]);
});

// The tests of the rules and of `resolveEndpoint` have the others.
test("sends no probe to a host or a name that cannot be an endpoint", async () => {
  const { measure, probed, resolved } = setUp({ "a.example.net": ["169.254.169.254"] });
  for (const host of ["10.1.2.3", "203.0.113.1", "localhost", "ROUTER.example.net", ""])
    expect(await measure(host)).toBeNull();
  expect(resolved).toEqual([]);
  for (const name of ["a.example.net", "b.example.net"]) expect(await measure(name)).toBeNull();
  expect(probed).toEqual([]);
});

test("a host is measured once in five minutes, for all callers and under all names", async () => {
  const names = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`n${index}.example.net`, ["198.51.100.7"]]),
  );
  const { measure, probed, clock } = setUp(names);
  const hosts = [...Object.keys(names), ...Object.keys(names), "198.51.100.7"];
  expect(new Set(await Promise.all(hosts.map(measure)))).toEqual(new Set([12.5]));
  await clock.advance(5 * minuteMs - 1);
  expect(await measure("198.51.100.7")).toBe(12.5);
  expect(probed).toEqual(["198.51.100.7"]);
  await clock.advance(1);
  await measure("198.51.100.7");
  expect(probed).toEqual(["198.51.100.7", "198.51.100.7"]);
});

test("a host without a reply is not probed again soon, a failed command is", async () => {
  const silent = setUp({}, async () => null);
  expect([await silent.measure("198.51.100.7"), await silent.measure("198.51.100.7")]).toEqual([null, null]);
  expect(silent.probed).toHaveLength(1);
  const failing = setUp({}, () => Promise.reject(new Error("no ping")));
  await expect(failing.measure("198.51.100.7")).rejects.toThrow("no ping");
  await expect(failing.measure("198.51.100.7")).rejects.toThrow("no ping");
  expect(failing.probed).toHaveLength(2);
});

test("at most four hosts are measured at once and 32 wait", async () => {
  const ends: Array<() => void> = [];
  const probe = () => new Promise<number>((resolve) => void ends.push(() => resolve(1)));
  const { measure, probed, clock } = setUp({}, probe);
  const results = Array.from({ length: 36 }, (_, index) => measure(`198.51.100.${index + 1}`));
  await clock.advance(0);
  expect(probed).toHaveLength(4);
  await expect(measure("198.51.100.99")).rejects.toMatchObject({
    status: 503,
    body: { message: "The node measures too many other hosts." },
  });
  while (ends.length > 0) {
    ends.shift()?.();
    await clock.advance(0);
  }
  expect(new Set(await Promise.all(results))).toEqual(new Set([1]));
  expect(probed).toHaveLength(36);
});
