import { expect, test } from "vitest";
import type { OtherNode, ProviderAddresses } from "../../contract/call-tables/other-node-calls.ts";
import { formatPrefix } from "../../domain/prefix.ts";
import type { OtherNodesState } from "../drivers/router.ts";
import { createExclusive } from "../exclusive.ts";
import { createMemoryNodesStore } from "../fixtures/memory-store.ts";
import { silentLog } from "../fixtures/silent-log.ts";
import { openOtherNodes } from "./other-nodes.ts";

const nodeOf = (node: string, changes: Partial<OtherNode> = {}): OtherNode => ({
  node,
  version: "1",
  addresses: ["172.20.16.2"],
  services: [{ protocol: "tcp", port: 53 }],
  tunnels: [{ asn: "4242420001", addresses: ["172.20.1.1"] }],
  ...changes,
});

const unknown: ProviderAddresses = { version: "0", endpoints: [], servers: [] };

async function open({
  store = createMemoryNodesStore(),
  configured = [] as readonly string[],
  accepted = [] as string[],
} = {}) {
  const given: OtherNodesState[] = [];
  const options = {
    router: { setOtherNodes: async (state: OtherNodesState) => void given.push(state) },
    store,
    configured,
    accepted: {
      read: async () => [...accepted],
      forget: async (addresses: readonly string[]) => {
        accepted.splice(0, Infinity, ...accepted.filter((one) => !addresses.includes(one)));
      },
    },
    log: silentLog,
  };
  const otherNodes = await openOtherNodes(options);
  const exclusive = createExclusive();
  const update = (nodes: readonly string[], ...changed: readonly OtherNode[]) =>
    otherNodes.update(
      { nodes: [...nodes], changed: [...changed], strictSource: false, provider: unknown },
      undefined,
      exclusive,
    );
  const tell = (provider: Partial<ProviderAddresses>, from?: string) =>
    otherNodes.update(
      { nodes: [], changed: [], strictSource: false, provider: { ...unknown, ...provider } },
      from,
      exclusive,
    );
  return {
    store,
    given,
    /** Of the last state that the router was given. */
    servers: () => given.at(-1)?.servers,
    otherNodes,
    update,
    tell,
    refresh: () => otherNodes.refresh(exclusive),
  };
}

test("a node that is not mentioned stays, one that no longer exists is forgotten, and a restart gives all to the router", async () => {
  const { store, given, update } = await open();
  await update(["per01", "de01"], nodeOf("per01"), nodeOf("de01"));
  await update(["per01", "de01"], nodeOf("de01", { version: "2", addresses: ["fd42:0::2"] }));
  const expected = [nodeOf("per01"), nodeOf("de01", { version: "2", addresses: ["fd42::2"] })];
  expect(given.map(({ nodes }) => nodes)).toEqual([[], [nodeOf("per01"), nodeOf("de01")], expected]);
  expect((await open({ store })).given).toMatchObject([{ nodes: expected }]);
  await update(["de01"]);
  expect(given.at(-1)?.nodes).toEqual([expected[1]]);
});

test.each([
  ["an address", { addresses: ["172.20.16.256"] }],
  ["a service's address", { services: [{ protocol: "udp" as const, port: 53, address: "::1::" }] }],
  ["a tunnel's address", { tunnels: [{ asn: "4242420001", addresses: ["..."] }] }],
  ["an AS number", { tunnels: [{ asn: '1" } ; ', addresses: [] }] }],
])("%s that is not valid is refused, and nothing changes", async (_, changes) => {
  const { store, given, update } = await open();
  await expect(update(["per01"], nodeOf("per01", changes))).rejects.toMatchObject({ status: 422 });
  expect([given.length, store.saved]).toEqual([1, null]);
});

test.each([
  ["endpoints", ["de01.example.net", "de01_example"], '"de01_example" is not an address or hostname.'],
  ["servers", ["192.0.2.10", "192.0.2.1/24"], '"192.0.2.1/24" is not an address or prefix.'],
  ["servers", ["::/0 } ; flush ruleset"], '"::/0 } ; flush ruleset" is not an address or prefix.'],
])("told %s that are not valid are refused, and nothing changes", async (field, texts, message) => {
  const { store, given, tell } = await open();
  await expect(tell({ [field]: texts })).rejects.toMatchObject({
    status: 422,
    body: { field, message: `${message} Nothing was changed.` },
  });
  expect([given.length, store.saved]).toEqual([1, null]);
});

test("told addresses are stored and used in canonical form, beside the address from which they came", async () => {
  const { store, given, servers, otherNodes, tell } = await open();
  expect([servers(), otherNodes.endpoints()]).toEqual([[], []]);
  await tell(
    {
      version: "1",
      endpoints: ["De01.Example.net", "2001:DB8::1"],
      servers: ["192.0.2.10", "2001:DB8::/64"],
    },
    "::ffff:203.0.113.7",
  );
  expect(otherNodes.endpoints()).toEqual(["de01.example.net", "2001:db8::1"]);
  const known = ["192.0.2.10/32", "2001:db8::/64", "203.0.113.7/32"];
  expect([servers(), otherNodes.servers().map(formatPrefix)]).toEqual([known, known]);
  const restarted = await open({ store });
  expect(restarted.given).toEqual([given.at(-1)]);
  expect(restarted.otherNodes.current().provider?.version).toBe("1");
});

test("a list that leaves out the server that brings it does not lock it out; the last four such addresses stay", async () => {
  const { servers, tell } = await open();
  for (const last of [1, 2, 3, 4, 5, 2]) await tell({ servers: ["192.0.2.10"] }, `203.0.113.${last}`);
  expect(servers()).toEqual(["192.0.2.10/32", ...[3, 4, 5, 2].map((last) => `203.0.113.${last}/32`)]);
});

test("an empty list opens nothing that was limited before", async () => {
  const { servers, tell } = await open();
  await tell({ version: "1" }, "203.0.113.1");
  expect(servers()).toEqual([]);
  await tell({ version: "2", servers: ["192.0.2.10"] });
  await tell({ version: "3", servers: [] });
  expect(servers()).toEqual(["192.0.2.10/32", "203.0.113.1/32"]);
});

test("server_addresses of the configuration wins", async () => {
  const { servers, tell } = await open({ configured: ["198.51.100.0/24"], accepted: ["192.0.2.77"] });
  await tell({ servers: ["192.0.2.10"] }, "203.0.113.1");
  expect(servers()).toEqual(["198.51.100.0/24"]);
});

test("an accepted server is added within a refresh, until the server tells a list that contains it", async () => {
  const accepted: string[] = [];
  const { given, servers, tell, refresh } = await open({ accepted });
  await tell({ servers: ["192.0.2.10"] });
  await refresh();
  expect(given).toHaveLength(2);
  accepted.push("192.0.2.77", "2001:db8::77");
  await refresh();
  expect(servers()).toEqual(["192.0.2.10/32", "192.0.2.77/32", "2001:db8::77/128"]);
  await tell({ servers: ["192.0.2.0/24"] });
  expect([servers(), accepted]).toEqual([["192.0.2.0/24", "2001:db8::77/128"], ["2001:db8::77"]]);
});

test("what cannot be stored is not given to the router", async () => {
  const { store, given, otherNodes, update } = await open();
  store.error = new Error("disk full");
  await expect(update(["per01"], nodeOf("per01"))).rejects.toThrow("disk full");
  expect([given.length, otherNodes.current()]).toEqual([1, { nodes: [], strictSource: false }]);
});
