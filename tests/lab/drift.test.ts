/** What other programs change on a router. A test's check is one of those that the agent makes every ten seconds. */
import { once } from "node:events";
import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { DriftFinding, RoutedPeering } from "../../src/agent/drivers/router.ts";
import { findWrongSettings } from "../../src/agent/drivers/drift/interface-settings.ts";
import { dualStackOf, peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import type { NodeHealth } from "../../src/contract/agent.ts";
import { type LabHost, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { eventually } from "./eventually.ts";
import { type JoinedNode, openJoinedNode } from "./joined-node.ts";
import { startAgent } from "./lab-agent.ts";
import { openLabNode, startNodeBird } from "./lab-node.ts";
import { tunnel } from "./lab-participant.ts";
import { connectionState, findDisruptions, settledState } from "./router-state.ts";

let node: JoinedNode["node"];
let participant: JoinedNode["participant"];
let internet: JoinedNode["internet"];
/** The first peering's participant is joined, and its session Established. */
let desired: readonly RoutedPeering[];

const name = (n: number) => `dn42_424242000${n}`;
const inNode = (commands: readonly string[]) => runCommands(node.host, commands);
const findDrift = () => node.ask<readonly DriftFinding[]>("findDrift");
const joinedConnection = () => connectionState(node.host, name(1));

beforeAll(async () => {
  const opened = await openJoinedNode();
  ({ internet, node, participant } = opened);
  const dualStack = [2, 3, 4, 5].map((n) => routed(dualStackOf(n, { localIpv4: "172.20.16.1" })));
  const linkLocal = [6, 7, 8, 9].map((n) => routed(peeringOf(n)));
  desired = [routed(opened.peering), ...dualStack, ...linkLocal];
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});
beforeEach(() => node.set(desired));

/** Starts a command, and interrupts it when it is to stop. Its output is then returned. */
function startUntilStopped(host: Pick<LabHost, "start">, command: string) {
  const child = host.start(
    "sh",
    "-c",
    `(${command}) & cat; kill -INT $!; sleep 0.2; kill $! 2> /dev/null; wait $!; :`,
  );
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return {
    stop: async () => {
      child.stdin?.end();
      await once(child, "exit");
      return output;
    },
  };
}

/** Everything that the agent set. */
async function readOwn() {
  const state = await settledState(node.host);
  const printed = await inNode(["ip -json netconf show"]);
  const ofTunnels = Object.keys(state.tunnels);
  const wrongSettings = findWrongSettings(printed);
  const loopback = await inNode(["ip -o address show dev lo scope global"]);
  return {
    state,
    wrongSettings: ofTunnels.filter((one) => wrongSettings.has(one)),
    loopback: Array.from(loopback.matchAll(/inet6? (\S+)/g), ([, address]) => address),
  };
}

/** Everything of the router's owner that is near to it. */
const readOwners = async () => [
  await inNode(
    [
      "ip -4 -o address show dev owner0; ip -json -d link show owner0 | grep -o '\"mtu\":[0-9]*'",
      "nft list table inet owner",
      "cd /proc/sys/net; grep . ipv4/conf/{all,default,owner0,eth0}/{rp_filter,forwarding} ipv6/conf/{all,default,owner0}/forwarding",
    ].map((command) => `bash -c '${command.replaceAll("'", `'"'"'`)}'`),
  ),
  await readFile(node.birdConfig, "utf8"),
];

const otherKey = Buffer.alloc(32, 99).toString("base64");

const keyOf = (n: number) => Buffer.alloc(32, 64 + n).toString("base64");

test("each value that the agent set is right again after one check, and nothing else is touched", async () => {
  await inNode([
    "ip link add owner0 type bridge; ip address add 10.88.0.1/24 dev owner0; ip link set owner0 addrgenmode none mtu 1300 up",
    "nft add table inet owner; nft add chain inet owner forward '{ type filter hook forward priority 5; }'",
    "echo 1 > /proc/sys/net/ipv4/conf/owner0/rp_filter; echo 1 > /proc/sys/net/ipv4/conf/default/rp_filter",
  ]);
  const before = await readOwn();
  const connection = await joinedConnection();
  const traffic = startUntilStopped(participant, `ping -q -i 0.02 -I ${tunnel} fe80::2227`);

  await inNode([
    "echo 0 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv4/conf/eth0/forwarding",
    `ip link set ${name(2)} down`,
    `ip address flush dev ${name(3)}; ip link set ${name(3)} mtu 1300`,
    `ip address add 10.99.0.1/32 dev ${name(4)}; wg set ${name(4)} peer ${keyOf(4)} remove`,
    `ip link set ${name(5)} down; ip link set ${name(5)} up`,
    `wg set ${name(5)} peer ${keyOf(5)} allowed-ips 10.0.0.0/8 persistent-keepalive 0`,
    `wg set ${name(6)} listen-port 21006 peer ${keyOf(6)} remove peer ${otherKey} allowed-ips ::/0`,
    `wg genkey > key; wg set ${name(7)} private-key key peer ${keyOf(7)} preshared-key key; rm key`,
    `wg set ${name(8)} peer ${keyOf(8)} endpoint 198.51.100.77:9`,
    `echo 2 > /proc/sys/net/ipv4/conf/${name(8)}/rp_filter; echo 0 > /proc/sys/net/ipv6/conf/${name(8)}/forwarding`,
    `ip link delete ${name(9)}`,
    "ip address del 172.20.16.1/32 dev lo; ip link set lo down; ip link set lo up",
    "nft delete table inet peerdeck",
  ]);
  const owners = await readOwners();
  // Empty while a handshake is restarted.
  expect(await eventually(findDrift, (drift) => drift.length > 0)).toEqual([
    // The first of them only because no interface forwards.
    { code: "tunnels-drifted", facts: { tunnels: 9 } },
    { code: "node-addresses-missing", facts: { addresses: ["172.20.16.1/32", "fd42:d42::1/128"] } },
    { code: "packet-filter-changed", facts: {} },
  ]);
  await node.set(desired);
  expect(await readOwn()).toEqual(before);
  expect(await eventually(findDrift, (drift) => drift.length === 0)).toEqual([]);

  expect(await readOwners()).toEqual(owners);
  // The tunnels forward again; what is created later would not.
  const ofMachine = {
    code: "kernel-setting",
    facts: { name: "net.ipv4.ip_forward", value: "0", expected: "1" },
  };
  await eventually(
    () => node.ask<NodeHealth>("health"),
    ({ findings }) => findings.some((finding) => isDeepStrictEqual(finding, ofMachine)),
  );
  const [, sent = "", received = ""] =
    /(\d+) packets transmitted, (\d+) received/.exec(await traffic.stop()) ?? [];
  // The last one may still have been on its way.
  expect(Number(received)).toBeGreaterThanOrEqual(Number(sent) - 1);
  expect(Number(received)).toBeGreaterThan(10);
  expect(findDisruptions(connection, await joinedConnection())).toEqual([]);
});

test("a participant who moved is left alone by repairs and by a restart of the agent, while it replies", async () => {
  await runCommands(participant, [`wg set ${tunnel} listen-port 51999; ping -c 1 -I ${tunnel} fe80::2227`]);
  const endpoint = async () => (await inNode([`wg show ${name(1)} endpoints`])).trim().split("\t")[1];
  expect(await endpoint()).toBe("198.51.100.1:51999");
  const connection = await joinedConnection();
  expect(await findDrift()).toEqual([]);
  // Nothing that the participant sends brings a lost endpoint back.
  const mute =
    "nft 'add table inet mute; add chain inet mute out { type filter hook output priority 0; udp sport 51999 drop; }'";
  await runCommands(participant, [mute]);
  await inNode([
    `ip link set ${name(1)} mtu 1300; wg set ${name(1)} peer ${await readKey()} allowed-ips fe80::/10`,
  ]);
  expect(await eventually(findDrift, (drift) => drift.length > 0)).toEqual([
    { code: "tunnels-drifted", facts: { tunnels: 1 } },
  ]);
  await node.set(desired);
  expect(await inNode([`wg show ${name(1)} allowed-ips`])).toContain("172.20.0.0/14");
  expect(await endpoint()).toBe("198.51.100.1:51999");

  await node[Symbol.asyncDispose]();
  node = await openLabNode(node.host);
  await node.set(desired);
  expect(await endpoint()).toBe("198.51.100.1:51999");
  await runCommands(participant, ["nft delete table inet mute"]);
  expect(findDisruptions(connection, await joinedConnection())).toEqual([]);
});

const readKey = async () => (await inNode([`wg show ${name(1)} peers`])).trim();

test.each(oneOfCommit(["ip", "wg", "nft"] as const))(
  "%s hangs: nothing of it is repaired or changed",
  async (program) => {
    const before = await readOwn();
    await inNode([`ip link set ${name(2)} mtu 1300; nft delete table inet peerdeck`]);
    const stub = path.join(node.host.folder, `hanging-${program}`);
    const real = (await inNode([`readlink -f $(command -v ${program})`])).trim();
    await writeFile(stub, "#!/bin/sh\nexec sleep 60\n");
    await chmod(stub, 0o755);
    await inNode([`mount --bind ${stub} ${real}`]);
    const drift = await eventually(
      () => findDrift().catch(({ name: error }: Error) => error),
      (found) => found.length > 0,
    );
    await inNode([`umount ${real}`]);
    const isTunnelRead = program === "nft";
    expect(drift).toEqual(
      isTunnelRead ? [{ code: "tunnels-drifted", facts: { tunnels: 1 } }] : "RouterUnavailableError",
    );
    const mtu = async () => /mtu (\d+)/.exec(await inNode([`ip link show ${name(2)}`]))?.[1];
    await node.set(desired);
    expect(await mtu()).toBe(isTunnelRead ? "1420" : "1300");
    expect(await inNode(["nft list tables"])).not.toContain("peerdeck");

    expect(await eventually(findDrift, (found) => found.length > 0)).toContainEqual({
      code: "packet-filter-changed",
      facts: {},
    });
    await node.set(desired);
    expect(await readOwn()).toEqual(before);
  },
);

test("a value that another program sets again and again is reported, and the others are repaired as before", async () => {
  const host = await internet.host("per01", "198.51.100.253/24");
  await startNodeBird(host, []);
  await using agent = await startAgent(host);
  for (const n of [1, 2]) await agent.apply(peeringOf(n).asn, peeringOf(n));
  const other = startUntilStopped(host, `while ip link set ${name(1)} mtu 1300; do sleep 0.05; done`);
  const codes = async () => (await agent.health()).findings.map(({ code }) => code);
  const contested = { code: "value-contested", facts: { value: "mtu", names: [name(1)], count: 1 } };
  await eventually(codes, (found) => found.includes("value-contested"));
  expect((await agent.health()).findings).toContainEqual(contested);

  const isUp = async () => (await runCommands(host, [`ip -o link show ${name(2)}`])).includes(",UP");
  for (let repair = 0; repair < 3; repair += 1) {
    await runCommands(host, [`ip link set ${name(2)} down`]);
    await eventually(isUp, Boolean);
  }
  // Its next repair is a minute after the last one, so there was none of them.
  expect(await codes()).toContain("value-contested");
  await other.stop();
  await eventually(
    () => runCommands(host, [`ip link show ${name(1)}`]),
    (shown) => shown.includes("mtu 1420"),
  );
});
