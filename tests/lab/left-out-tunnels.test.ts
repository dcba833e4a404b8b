/** Tunnels that a node cannot set up: every other peering is deployed, edited and deleted, and no session of theirs drops. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { dualStackOf, peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { ObservedPeering, Peering } from "../../src/contract/agent.ts";
import { type Internet, type LabHost, openInternet, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { joinNode, nodeAddress } from "./lab-participant.ts";
import {
  type ConnectionState,
  connectionState,
  findDisruptions,
  waitUntilEstablished,
} from "./router-state.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";

let internet: Internet;
let node: LabHost;
let agent: LabAgent;
/** Sessions over IPv4: of a peering without IPv6, and of one with a session for each family. */
const overIpv4 = [
  ["dn42_4242420009", "dn42_4242420009_v4"],
  ["dn42_4242420008", "dn42_4242420008_v4"],
] as const;
let before: readonly ConnectionState[];

const ipv4Only = (n: number, changed: Partial<Peering> = {}) =>
  dualStackOf(n, { addressFamily: "IPv4", peerIpv6: null, localIpv6: null, ...changed });

beforeAll(async () => {
  internet = await openInternet();
  node = await internet.host("syd01", `${nodeAddress}/24`);
  await startNodeBird(node, []);
  agent = await startAgent(node);
  await Promise.all([
    openPeering(7, peeringOf(7)),
    openPeering(8, dualStackOf(8)),
    openPeering(9, ipv4Only(9)),
  ]);
  await waitForAll();
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});
beforeEach(async () => {
  before = await statesOverIpv4();
});
afterEach(async () => {
  const after = await statesOverIpv4();
  expect(after.flatMap((state, index) => findDisruptions(before[index] ?? state, state))).toEqual([]);
});

const statesOverIpv4 = () =>
  Promise.all(overIpv4.map(([name, session]) => connectionState(node, name, session)));

async function openPeering(n: number, peering: Peering): Promise<void> {
  const participant = await internet.host(`as${n}`, `198.51.100.${n}/24`);
  const keys = await makeKeys(participant);
  const own = { ...peering, publicKey: keys.publicKey };
  expect(await apply(own)).toEqual(["applied", ""]);
  const { publicKey: nodeKey } = await agent.facts();
  await joinNode(participant, { keys, peering: own, nodeKey });
}

async function waitForAll(): Promise<void> {
  for (const [name, session] of [
    ...overIpv4,
    ["dn42_4242420007", "dn42_4242420007"],
    ["dn42_4242420008", "dn42_4242420008_v6"],
  ] as const)
    await waitUntilEstablished(node, name, session);
}

async function apply(peering: Peering): Promise<readonly [string | null, string]> {
  const { outcome, reason } = await agent.apply(peering.asn, peering);
  return [outcome, reason];
}
const refusedFor = (code: string, facts: object = {}) => ["refused", JSON.stringify({ code, facts })];
const remove = async (asn: string) => (await agent.apply(asn, null)).outcome;

async function restartAgent(whileStopped: () => Promise<unknown>): Promise<void> {
  await agent[Symbol.asyncDispose]();
  await whileStopped();
  agent = await startAgent(node);
}

/** The findings of a peering's tunnel and sessions. Nothing is announced, and pings take a while after a start. */
async function codesOf(n: number): Promise<readonly string[]> {
  const observed = await agent.get<readonly ObservedPeering[]>("/v1/observe");
  const { findings = [] } = observed.find(({ asn }) => asn === `424242000${n}`) ?? {};
  return findings.map(({ code }) => code).filter((code) => !/^no-(routes|ping-reply)$/.test(code));
}
const waitForCode = (n: number, code: string) =>
  eventually(
    () => codesOf(n),
    (codes) => codes.includes(code),
  );
const waitUntilRunning = (n: number) =>
  eventually(
    () => codesOf(n),
    (codes) => !codes.some((code) => /^(tunnel-|node-|port-)/.test(code)),
  );

const switchIpv6 = (disabled: 0 | 1) =>
  node.run("sh", "-c", `echo ${disabled} > /proc/sys/net/ipv6/conf/all/disable_ipv6`);
const setting = (scope: string) => ({
  code: "kernel-setting",
  facts: { name: `net.ipv6.conf.${scope}.disable_ipv6`, value: "1", expected: "0" },
});

test("without IPv6, what needs it waits or is refused, and comes back; all else goes on", async () => {
  await switchIpv6(1);
  // Before the agent has noticed.
  expect(await apply(ipv4Only(1))).toEqual(["applied", ""]);
  await waitForCode(7, "node-without-ipv6");
  const peerings = async () => {
    expect(await codesOf(7)).toEqual(["node-without-ipv6", "session-waiting"]);
    expect(await codesOf(8)).toEqual(["node-without-ipv6", "session-waiting"]);
    expect(await codesOf(9)).toEqual([]);
    expect((await agent.health()).findings).toEqual(
      expect.arrayContaining([
        ...["all", "default", "lo"].map(setting),
        { code: "tunnels-without-ipv6", facts: { tunnels: 2 } },
      ]),
    );
    expect(await apply(ipv4Only(1, { mtu: 1380 }))).toEqual(["applied", ""]);
    expect(await apply(ipv4Only(1, { mtu: 1400 }))).toEqual(["applied", ""]);
    expect(await remove("4242420001")).toBe("applied");
    expect(await apply(peeringOf(2))).toEqual(refusedFor("node-without-ipv6"));
    expect(await apply(peeringOf(7, { mtu: 1400 }))).toEqual(refusedFor("node-without-ipv6"));
  };
  await peerings();
  // As after a reboot, when interfaces have to be created.
  await restartAgent(() => node.run("ip", "link", "delete", "dn42_4242420007"));
  await peerings();
  await switchIpv6(0);
  await waitForAll();
  expect([await waitUntilRunning(7), await waitUntilRunning(8)]).toEqual([[], []]);
  await eventually(agent.health, ({ findings }) => findings.every(({ code }) => code !== "kernel-setting"));
});

test("without IPv6 for new interfaces alone, tunnels that have it keep it", async () => {
  const connections = () => connectionState(node, "dn42_4242420007");
  const beforeChange = await connections();
  const file = "/proc/sys/net/ipv6/conf/default/disable_ipv6";
  await node.run("sh", "-c", `echo 1 > ${file}`);
  expect(await apply(ipv4Only(1))).toEqual(["applied", ""]);
  expect(await apply(peeringOf(2))).toEqual(refusedFor("node-without-ipv6"));
  expect((await agent.health()).findings).toContainEqual(setting("default"));
  await restartAgent(async () => {});
  expect([await codesOf(1), await codesOf(7), await codesOf(8)]).toEqual([
    [expect.any(String), "session-waiting"],
    [],
    [],
  ]);
  expect(findDisruptions(beforeChange, await connections())).toEqual([]);
  await node.run("sh", "-c", `echo 0 > ${file}`);
  expect(await apply(peeringOf(2))).toEqual(["applied", ""]);
  for (const asn of ["4242420001", "4242420002"]) expect(await remove(asn)).toBe("applied");
});

test("a kernel without IPv6 runs the peerings that do not need it", async () => {
  await restartAgent(() => node.run("mount", "-t", "tmpfs", "tmpfs", "/proc/sys/net/ipv6"));
  expect(await codesOf(9)).toEqual([]);
  expect(await codesOf(7)).toContain("node-without-ipv6");
  expect((await agent.health()).findings).toContainEqual({ code: "kernel-without-ipv6", facts: {} });
  expect(await apply(ipv4Only(1))).toEqual(["applied", ""]);
  expect(await remove("4242420001")).toBe("applied");
  await node.run("umount", "/proc/sys/net/ipv6");
  await waitForAll();
  await waitUntilRunning(7);
});

test("an interface of another program that has a tunnel's name is not changed", async () => {
  const link = () => node.run("sh", "-c", "ip -json -details link show dn42_4242420001");
  expect(await apply(ipv4Only(1))).toEqual(["applied", ""]);
  await restartAgent(() =>
    runCommands(node, ["ip link delete dn42_4242420001", "ip link add dn42_4242420001 type bridge"]),
  );
  const foreign = await link();
  expect(await codesOf(1)).toEqual(["tunnel-cannot-start", "session-waiting"]);
  expect((await agent.health()).findings).toContainEqual({
    code: "tunnel-name-taken",
    facts: { asn: "4242420001", interface: "dn42_4242420001" },
  });
  expect(await apply(ipv4Only(2))).toEqual(["applied", ""]);
  expect(await apply(ipv4Only(1, { mtu: 1400 }))).toEqual(refusedFor("interface-taken"));
  expect(await remove("4242420002")).toBe("applied");
  expect(await link()).toBe(foreign);
  await node.run("ip", "link", "delete", "dn42_4242420001");
  await waitUntilRunning(1);
  expect(await remove("4242420001")).toBe("applied");
});

/** Programs of which one call fails for one interface, and what the operator reads. */
const failing = [
  { n: 3, program: "wg", call: "syncconf ", printed: "Invalid argument", code: "tunnel-command-failed" },
  { n: 4, program: "wireguard-go", call: "", printed: "No such device", code: "wireguard-go-failed" },
] as const;

test.each(oneOfCommit(failing))(
  "if $program fails for one tunnel, it is tried again until it works",
  async ({ n, program, call, printed, code }) => {
    // It is not used where the kernel has WireGuard.
    if (program === "wireguard-go" && (await node.run("ls", "/run/wireguard")) === "") return;
    const asn = `424242000${n}`;
    const real = (await node.run("sh", "-c", `readlink -f "$(command -v ${program})"`)).trim();
    const fake = path.join(node.folder, program);
    const fails = `case "$*" in "${call}dn42_${asn}"*) echo "${printed}" >&2; exit 1;; esac`;
    await node.run("cp", real, `${fake}.real`);
    await writeFile(fake, `#!/bin/sh\n${fails}\nexec ${fake}.real "$@"\n`, { mode: 0o755 });
    expect(await apply(ipv4Only(n))).toEqual(["applied", ""]);
    await restartAgent(() =>
      runCommands(node, [`ip link delete dn42_${asn}`, `mount --bind ${fake} ${real}`]),
    );
    expect(await codesOf(n)).toEqual(["tunnel-cannot-start", "session-waiting"]);
    const { findings } = await agent.health();
    const { facts } = findings.find((finding) => finding.code === code) ?? {};
    expect(facts).toEqual({ asn, output: expect.stringContaining(printed) as string });
    expect(await apply(ipv4Only(2))).toEqual(["applied", ""]);
    expect(await apply(ipv4Only(n, { mtu: 1400 }))).toEqual(refusedFor("tunnel-not-set-up"));
    expect(await remove("4242420002")).toBe("applied");
    // Tries that fail are no events.
    const events = async () => (await agent.events()).filter((event) => event.asn === asn);
    expect(await events()).toEqual([]);
    // The agent may be running it.
    await node.run("umount", "--lazy", real);
    await waitUntilRunning(n);
    await eventually(events, (all) => all.some(({ kind }) => kind === "tunnel-repaired"));
    expect(await remove(asn)).toBe("applied");
  },
);
