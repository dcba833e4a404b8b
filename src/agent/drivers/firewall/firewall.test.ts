import { expect, test } from "vitest";
import type { OtherNode } from "#contract/call-tables/other-node-calls.ts";
import { createFakeNft, type FakeNft } from "../../fixtures/fake-nft.ts";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { createFirewall } from "./firewall.ts";
import type { FirewallPolicy } from "./render.ts";

const policy: FirewallPolicy = {
  interfaces: [],
  ownPrefixes: [],
  agent: { host: "::", port: 4243 },
  servers: ["192.0.2.10/32"],
  allowInput: [],
  acceptReplies: false,
};

const setOf = (...numbers: readonly number[]) =>
  new Map(numbers.map((n) => [`424242000${n}`, routed(peeringOf(n))]));

/** The last digits of the participants' interfaces. */
const protectedBy = (nft: FakeNft) => nft.elementsOf("participants").map((name) => name.at(-2));

function open({ nft = createFakeNft(), owned = [] as readonly string[], servers = policy.servers } = {}) {
  const firewall = createFirewall({
    run: nft.run,
    policy: { ...policy, servers },
    owned: { names: () => new Set(owned) },
  });
  const change = async (...numbers: readonly number[]) => {
    await firewall.prepare(setOf(...numbers));
    await firewall.finish();
  };
  return { nft, firewall, change };
}

test("a change protects old and new tunnels, and afterwards only the new ones", async () => {
  const { nft, firewall, change } = open();
  await change(1, 2);
  await firewall.prepare(setOf(2, 3));
  expect(protectedBy(nft)).toEqual(["1", "2", "3"]);
  await firewall.finish();
  expect(protectedBy(nft)).toEqual(["2", "3"]);
  expect([firewall.isCurrent(setOf(2, 3)), firewall.isCurrent(setOf(2))]).toEqual([true, false]);
});

test("a change loads only the elements that change, in one transaction, and nothing if none do", async () => {
  const { nft, firewall, change } = open();
  await change(1);
  nft.loads.length = 0;
  await change(1);
  expect(nft.loads).toEqual([]);
  await change(1, 2);
  expect(nft.loads).toEqual([
    'add element inet peerdeck participants { "dn42_4242420002" }\n' +
      'add element inet peerdeck neighbours6 { "dn42_4242420002" . fe80::2 }\n',
  ]);
  expect(await firewall.hasDrifted()).toBe(false);
});

const per01: OtherNode = {
  node: "per01",
  version: "1",
  addresses: ["172.20.16.2"],
  services: [{ protocol: "udp", port: 53 }],
  tunnels: [{ asn: "4242420001", addresses: ["172.20.1.9", "fd42:4242:1::9"] }],
};

const knowing = (...nodes: OtherNode[]) => ({ nodes, servers: policy.servers });

test("other nodes change elements only, also before the first change and after a rolled back one", async () => {
  const { nft, firewall, change } = open();
  await firewall.setOtherNodes(knowing(per01));
  expect(nft.loads).toEqual([]);
  await change(1);
  expect(nft.elementsOf("elsewhere6")).toEqual(['"dn42_4242420001" . fd42:4242:1::9']);
  nft.loads.length = 0;
  await firewall.setOtherNodes(knowing({ ...per01, services: [], tunnels: [] }));
  expect(nft.loads).toEqual([
    `delete element inet peerdeck peers4 { 172.20.1.9 }
delete element inet peerdeck elsewhere4 { "dn42_4242420001" . 172.20.1.9 }
delete element inet peerdeck services4 { 172.20.16.2 . udp . 53 }
delete element inet peerdeck peers6 { fd42:4242:1::9 }
delete element inet peerdeck elsewhere6 { "dn42_4242420001" . fd42:4242:1::9 }
`,
  ]);
  await firewall.prepare(setOf(1, 2));
  await firewall.undo();
  expect([firewall.isCurrent(setOf(1)), await firewall.hasDrifted()]).toEqual([true, false]);
});

test("told servers change elements only, and the first ones limit the agent's port in one transaction", async () => {
  const { nft, firewall, change } = open({ servers: [] });
  await change(1);
  expect(await firewall.findings()).toEqual([{ code: "agent-port-open", facts: {} }]);
  nft.loads.length = 0;
  await firewall.setOtherNodes({ nodes: [], servers: ["192.0.2.0/24", "192.0.2.10/32", "2001:db8::10/128"] });
  expect(nft.loads).toEqual([expect.stringMatching(/^add table [^]* tcp dport 4243 goto input_to_agent\n/)]);
  expect([nft.elementsOf("servers4"), nft.elementsOf("servers6")]).toEqual([
    ["192.0.2.0/24"],
    ["2001:db8::10"],
  ]);
  expect([await firewall.findings(), protectedBy(nft)]).toEqual([[], ["1"]]);
  nft.loads.length = 0;
  await firewall.setOtherNodes({ nodes: [], servers: ["192.0.2.10/32", "2001:db8::10/128"] });
  expect(nft.loads).toEqual([
    "delete element inet peerdeck servers4 { 192.0.2.0/24 }\nadd element inet peerdeck servers4 { 192.0.2.10 }\n",
  ]);
  expect(await firewall.hasDrifted()).toBe(false);
});

test("servers that nft refuses are drift, also the first ones", async () => {
  const { nft, firewall, change } = open({ servers: [] });
  await change(1);
  nft.fail("Error: Could not process rule: Message too long");
  await expect(firewall.setOtherNodes({ nodes: [], servers: ["192.0.2.10/32"] })).rejects.toThrow("Message");
  nft.repair();
  expect(await firewall.hasDrifted()).toBe(true);
  await change(1);
  expect([nft.elementsOf("servers4"), await firewall.hasDrifted()]).toEqual([["192.0.2.10"], false]);
});

test("while repairs are paused, new sources are loaded, but into no table that another program changed", async () => {
  const { nft, firewall, change } = open();
  await change(1);
  await firewall.updateSources(new Map([["dn42_4242420001", ["172.20.1.0/26"]]]));
  expect(nft.loads.at(-1)).toMatch(/^add element [^]*172\.20\.1\.0\/26/);
  nft.deleteTable();
  const count = nft.loads.length;
  await firewall.updateSources(new Map([["dn42_4242420001", ["172.20.1.64/26"]]]));
  expect([nft.loads.length, await firewall.hasDrifted()]).toEqual([count, true]);
});

test("other nodes that nft refuses are drift, and the next change protects them", async () => {
  const { nft, firewall, change } = open();
  await change(1);
  nft.fail("Error: Could not process rule: Message too long");
  await expect(firewall.setOtherNodes(knowing(per01))).rejects.toThrow("Message too long");
  nft.repair();
  expect(await firewall.hasDrifted()).toBe(true);
  await change(1);
  expect([nft.elementsOf("nodes4"), await firewall.hasDrifted()]).toEqual([["172.20.16.2"], false]);
});

test("a rolled back change restores the table, also that of a previous process", async () => {
  const { nft, firewall, change } = open();
  await change(1);
  await firewall.prepare(setOf(1, 2));
  await firewall.undo();
  expect(protectedBy(nft)).toEqual(["1"]);
  expect(firewall.isCurrent(setOf(1))).toBe(true);

  const restarted = open({ nft });
  await restarted.firewall.prepare(setOf(1, 2));
  expect(protectedBy(nft)).toEqual(["1", "2"]);
  await restarted.firewall.undo();
  expect(protectedBy(nft)).toEqual(["1"]);
  expect(restarted.firewall.isCurrent(setOf(1))).toBe(false);
});

test("a node without a table is protected from the first change on, also if that is rolled back, and so are interfaces that could not be removed", async () => {
  const owned = ["dn42_4242420007"];
  const { nft, firewall } = open({ owned });
  await firewall.prepare(setOf(1));
  await firewall.undo();
  expect(protectedBy(nft)).toEqual(["1", "7"]);
  owned.push("dn42_4242420008");
  await firewall.prepare(setOf(1, 2));
  expect(protectedBy(nft)).toEqual(["1", "2", "7", "8"]);
});

test("health and the check for drift work while nft fails", async () => {
  const { nft, firewall, change } = open();
  await change(1);
  nft.fail("Error: no memory");
  expect(await firewall.hasDrifted()).toBe(false);
  const output = expect.stringMatching(/^nft .* exited with 1: Error: no memory$/);
  expect(await firewall.findings()).toEqual([
    { code: "packet-filter-unavailable", facts: { cause: "other", output } },
  ]);
  nft.repair();
  expect([await firewall.hasDrifted(), await firewall.findings()]).toEqual([false, []]);
});

test.each([
  ["a missing table", (nft: FakeNft) => nft.deleteTable()],
  ["a participant too many", (nft: FakeNft) => nft.addElement("participants", '"eth0"')],
  ["another element too many", (nft: FakeNft) => nft.addElement("inside", '"eth0"')],
])("%s is a finding, and drift until the next change repairs it", async (_, damage) => {
  const { nft, firewall, change } = open();
  expect(await firewall.hasDrifted()).toBe(false);
  await change(1);
  damage(nft);
  expect(await firewall.findings()).toEqual([{ code: "packet-filter-changed", facts: {} }]);
  expect([await firewall.hasDrifted(), await firewall.hasDrifted()]).toEqual([true, true]);
  firewall.replaceNext();
  await change(1);
  expect(protectedBy(nft)).toEqual(["1"]);
  expect([await firewall.hasDrifted(), await firewall.findings()]).toEqual([false, []]);
});

test("a table that was deleted since the last check is replaced by the next change; rates of the kernel are no drift", async () => {
  const { nft, firewall, change } = open();
  await change(1);
  nft.addElement("icmp_rates", '"dn42_4242420001" limit rate over 100/second burst 200 packets');
  expect(await firewall.hasDrifted()).toBe(false);
  nft.deleteTable();
  await change(1, 2);
  expect(protectedBy(nft)).toEqual(["1", "2"]);
  expect(await firewall.hasDrifted()).toBe(false);
});

test.each([
  ["no-nft", (nft: FakeNft) => nft.uninstall()],
  ["no-nftables", (nft: FakeNft) => nft.fail("Unable to initialize Netlink socket: Protocol not supported")],
])("%s: until nftables works, changes are made without it, and health says so", async (cause, disable) => {
  const { nft, firewall, change } = open();
  disable(nft);
  await change(1);
  await firewall.prepare(setOf(1, 2));
  await firewall.undo();
  const unavailable = { code: "packet-filter-unavailable", facts: { cause, output: "" } };
  expect(await firewall.findings()).toEqual([unavailable]);
  expect(await firewall.hasDrifted()).toBe(false);
  nft.repair();
  expect(await firewall.hasDrifted()).toBe(true);
  firewall.replaceNext();
  await change(1);
  expect([protectedBy(nft), await firewall.findings()]).toEqual([["1"], []]);
});

test("a table that nft refuses prevents the change, and the table is set again", async () => {
  const { nft, firewall, change } = open();
  await change(1);
  nft.fail("Error: Could not process rule: Operation not permitted");
  await expect(firewall.prepare(setOf(1, 2))).rejects.toMatchObject({
    name: "RouterRefusedError",
    finding: { code: "packet-filter-not-set-up", facts: {} },
  });
  await firewall.undo();
  nft.repair();
  expect([protectedBy(nft), await firewall.hasDrifted()]).toEqual([["1"], true]);
});

test("health says when the agent's port is open to every address", async () => {
  const { firewall, change } = open({ servers: [] });
  await change(1);
  expect(await firewall.findings()).toEqual([{ code: "agent-port-open", facts: {} }]);
});
