import { expect, test } from "vitest";
import type { OtherNode } from "../../contract/call-tables/other-node-calls.ts";
import type { OtherNodesState } from "../drivers/router.ts";
import { createExclusive } from "../exclusive.ts";
import { createMemoryNodesStore } from "../fixtures/memory-store.ts";
import { openOtherNodes } from "./other-nodes.ts";

const nodeOf = (node: string, changes: Partial<OtherNode> = {}): OtherNode => ({
  node,
  version: "1",
  addresses: ["172.20.16.2"],
  services: [{ protocol: "tcp", port: 53 }],
  tunnels: [{ asn: "4242420001", addresses: ["172.20.1.1"] }],
  ...changes,
});

async function open(store = createMemoryNodesStore()) {
  const given: Array<readonly OtherNode[]> = [];
  const router = { setOtherNodes: async ({ nodes }: OtherNodesState) => void given.push(nodes) };
  const otherNodes = await openOtherNodes(router, store);
  const update = (nodes: readonly string[], ...changed: readonly OtherNode[]) =>
    otherNodes.update({ nodes: [...nodes], changed: [...changed], strictSource: false }, createExclusive());
  return { store, given, otherNodes, update };
}

test("a node that is not mentioned stays, one that no longer exists is forgotten, and a restart gives all to the router", async () => {
  const { store, given, update } = await open();
  await update(["per01", "de01"], nodeOf("per01"), nodeOf("de01"));
  await update(["per01", "de01"], nodeOf("de01", { version: "2", addresses: ["fd42:0::2"] }));
  const expected = [nodeOf("per01"), nodeOf("de01", { version: "2", addresses: ["fd42::2"] })];
  expect(given).toEqual([[], [nodeOf("per01"), nodeOf("de01")], expected]);
  expect((await open(store)).given).toEqual([expected]);
  await update(["de01"]);
  expect(given.at(-1)).toEqual([expected[1]]);
});

test.each([
  ["an address", { addresses: ["172.20.16.256"] }],
  ["a service's address", { services: [{ protocol: "udp" as const, port: 53, address: "::1::" }] }],
  ["a tunnel's address", { tunnels: [{ asn: "4242420001", addresses: ["..."] }] }],
  ["an AS number", { tunnels: [{ asn: '1" } ; ', addresses: [] }] }],
])("%s that is not valid is refused, and nothing changes", async (_, changes) => {
  const { store, given, update } = await open();
  await expect(update(["per01"], nodeOf("per01", changes))).rejects.toMatchObject({ status: 422 });
  expect([given, store.saved]).toEqual([[[]], null]);
});

test("what cannot be stored is not given to the router", async () => {
  const { store, given, otherNodes, update } = await open();
  store.error = new Error("disk full");
  await expect(update(["per01"], nodeOf("per01"))).rejects.toThrow("disk full");
  expect([given, otherNodes.current()]).toEqual([[[]], { nodes: [], strictSource: false }]);
});
