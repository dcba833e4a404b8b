import { expect, test } from "vitest";
import { kernelHasRoute, onlyRoutable } from "./routable-addresses.ts";

const [a, secondA, aaaa] = ["198.51.100.8", "198.51.100.9", "2001:db8::8"] as const;
const { signal } = new AbortController();

test.each<[string, string[], string[], string[]]>([
  ["both families", [a, secondA, aaaa], [a, aaaa], [a, secondA, aaaa]],
  ["IPv6 only", [a, secondA, aaaa], [aaaa], [aaaa]],
  ["IPv4 only", [a, secondA, aaaa], [a], [a, secondA]],
  ["no network at the moment", [a, aaaa], [], [a, aaaa]],
  ["a name with one family", [a], [], [a]],
])("addresses on a node with %s", async (_, addresses, routed, expected) => {
  const asked: string[] = [];
  const resolver = onlyRoutable(
    async () => addresses,
    async (address) => {
      asked.push(address);
      return routed.includes(address);
    },
  );
  expect(await resolver("router.example.net", signal)).toEqual(expected);
  expect(asked).not.toContain(secondA);
});

test("the kernel says to which addresses it has a route", async () => {
  expect(await Promise.all(["127.0.0.1", "::1"].map(kernelHasRoute))).toEqual([true, true]);
  // Whatever routes this machine has: the broadcast address, and a link-local one without its interface.
  expect(await Promise.all(["255.255.255.255", "fe80::1"].map(kernelHasRoute))).toEqual([false, false]);
});
