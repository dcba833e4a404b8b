/** A node with two WireGuard keys: peerings move from one to the other, one by one, and back. */
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { NodeHealth, ObservedPeering, Peering } from "../../src/contract/agent.ts";
import { type Internet, type LabHost, openInternet, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { shareOfCommit } from "../support/share-of-commit.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { joinNode, nodeAddress, tunnel } from "./lab-participant.ts";
import { connectionState, findDisruptions, isSameSession, waitUntilEstablished } from "./router-state.ts";

interface Joined {
  readonly peering: Peering;
  readonly participant: LabHost;
}

let internet: Internet;
let node: LabHost;
let agent: LabAgent;
let first: Joined;
let second: Joined;
let firstKey = "";
let addedKey = "";

const nameOf = (n: number) => `dn42_424242000${n}`;
const stateOf = (n: number) => connectionState(node, nameOf(n));
/** The public key of the tunnel's interface. */
const keyOf = async (n: number) => (await node.run("wg", "show", nameOf(n), "public-key")).trim();
const addKey = async (id: string) =>
  (await agent.post<{ readonly publicKey: string }>("/v1/node-keys", { id })).publicKey;
const removeKey = (publicKey: string) => agent.post("/v1/node-keys/remove", { publicKey });
const readKeys = async () => (await agent.get<{ readonly keys: readonly string[] }>("/v1/facts")).keys;
const observe = async ({ peering }: Joined) =>
  (await agent.get<readonly ObservedPeering[]>("/v1/observe")).find(({ asn }) => asn === peering.asn);

async function join(n: number): Promise<Joined> {
  const participant = await internet.host(`as${n}`, `198.51.100.${n}/24`);
  const keys = await makeKeys(participant);
  const peering = peeringOf(n, { publicKey: keys.publicKey });
  await agent.apply(peering.asn, peering);
  await joinNode(participant, { keys, peering, nodeKey: firstKey });
  return { peering, participant };
}

/** Moves a peering on the node, and returns the commands that it took. */
async function moveTo(nodeKey: string | undefined, { peering }: Joined): Promise<readonly string[]> {
  const { outcome, reason, steps } = await agent.apply(peering.asn, { ...peering, nodeKey });
  if (outcome !== "applied") throw new Error(reason);
  return steps.filter((step) => /^(?:ip|wg|nft|wireguard-go|bird: configure)/.test(step));
}

/** The participant replaces the line of the node's key in its configuration. */
const replaceLine = ({ peering, participant }: Joined, from: string, to: string) =>
  runCommands(participant, [
    `wg set ${tunnel} peer ${from} remove peer ${to} endpoint ${nodeAddress}:${peering.listenPort} ` +
      "persistent-keepalive 25 allowed-ips 172.20.0.0/14,10.0.0.0/8,fd00::/8,fe80::/10",
  ]);

beforeAll(async () => {
  internet = await openInternet();
  node = await internet.host("syd01", `${nodeAddress}/24`);
  await startNodeBird(node, []);
  agent = await startAgent(node);
  firstKey = (await agent.facts()).publicKey;
  [first, second] = [await join(1), await join(2)];
  for (const n of [1, 2]) await waitUntilEstablished(node, nameOf(n));
  addedKey = await addKey("r1");
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

test("a peering moves to another key and back in the same session, and the other one loses no packet", async () => {
  const [before, other] = [await stateOf(1), await stateOf(2)];
  const target = `${second.peering.peerIpv6}%${nameOf(2)}`;
  const pinged = node.run("ping", "-q", "-c", "300", "-i", "0.01", "-W", "1", target);
  const name = nameOf(1);
  for (const [from, to] of [
    [firstKey, addedKey],
    [addedKey, firstKey],
  ] as const) {
    const commands = await moveTo(to === firstKey ? undefined : to, first);
    expect(commands).toEqual([
      `wg set ${name} peer ${first.peering.publicKey} remove`,
      `wg syncconf ${name} .syncconf`,
    ]);
    expect(await keyOf(1)).toBe(to);
    // No handshake of the former key makes it look up.
    expect((await observe(first))?.tunnel).toMatchObject({ state: "Down", handshakeAgeSeconds: null });
    await replaceLine(first, from, to);
    await eventually(
      () => observe(first),
      (seen) => seen?.tunnel.state === "Up" && seen.bgpStatus === "OK",
    );
    expect(isSameSession(before.since, (await stateOf(1)).since)).toBe(true);
  }
  expect(/(\d+) packets transmitted, (\d+) received/.exec(await pinged)?.slice(1)).toEqual(["300", "300"]);
  expect(findDisruptions(other, await stateOf(2))).toEqual([]);
  expect(await keyOf(2)).toBe(firstKey);
});

test("a change that fails half-way restores the former key, and the session stays", async () => {
  const before = await stateOf(1);
  await runCommands(node, [
    "ip link add wg-other type wireguard 2>/dev/null || wireguard-go wg-other 2>/dev/null",
    "ip link set wg-other up; for try in $(seq 50); do wg set wg-other listen-port 21006 && exit 0; sleep 0.1; done",
  ]);
  const { peering } = first;
  const refused = await agent.apply(peering.asn, { ...peering, nodeKey: addedKey, listenPort: 21_006 });
  await node.run("ip", "link", "delete", "wg-other");
  expect(refused).toMatchObject({ outcome: "refused", reason: expect.stringContaining("port-taken") });
  expect(await keyOf(1)).toBe(firstKey);
  const after = await waitUntilEstablished(node, nameOf(1));
  expect(isSameSession(before.since, after.since)).toBe(true);
});

test("no response and no line of the log contains a private key", async () => {
  const privateKeys = (await node.run("sh", "-c", `cat ${node.folder}/state/wireguard*.key`))
    .trim()
    .split("\n");
  expect(privateKeys).toHaveLength(2);
  const log = await readFile(`${node.folder}/state.log`, "utf8");
  expect(log).toContain("port-taken");
  const { asn } = first.peering;
  const responses = await Promise.all([
    ...["facts", "peerings", "health", "observe"].map((name) => agent.get(`/v1/${name}`)),
    agent.post("/v1/details", { asn }),
    agent.post("/v1/node-keys", { id: "r1" }),
  ]);
  for (const key of privateKeys) expect(`${log}${JSON.stringify(responses)}`).not.toContain(key);
});

test("each tunnel gets its own key back after drift and a restart of the agent, and one without its key is left out", async () => {
  await moveTo(addedKey, first);
  await replaceLine(first, firstKey, addedKey);
  const before = [await waitUntilEstablished(node, nameOf(1)), await stateOf(2)] as const;
  await expect(removeKey(addedKey)).rejects.toThrow("409");
  const foreign = (await runCommands(node, ["umask 077; wg genkey > other; wg pubkey < other"])).trim();
  await runCommands(node, [`wg set ${nameOf(1)} private-key other; rm other`]);
  expect(await keyOf(1)).toBe(foreign);
  await eventually(
    () => keyOf(1),
    (key) => key === addedKey,
  );
  const repaired = await waitUntilEstablished(node, nameOf(1));
  expect(isSameSession(before[0].since, repaired.since)).toBe(true);

  await agent[Symbol.asyncDispose]();
  agent = await startAgent(node);
  expect(await readKeys()).toEqual([firstKey, addedKey]);
  expect(await addKey("r1")).toBe(addedKey);
  expect(findDisruptions(repaired, await stateOf(1))).toEqual([]);

  await agent[Symbol.asyncDispose]();
  await rm(path.join(node.folder, "state/wireguard-r1.key"));
  agent = await startAgent(node);
  expect((await agent.get<NodeHealth>("/v1/health")).findings).toContainEqual({
    code: "tunnel-key-missing",
    facts: { asn: first.peering.asn, publicKey: addedKey },
  });
  expect(await readKeys()).toEqual([firstKey]);
  const { reason } = await agent.apply(second.peering.asn, { ...second.peering, nodeKey: addedKey });
  expect(reason).toContain("node-key-missing");
  await moveTo(undefined, first);
  expect(await keyOf(1)).toBe(firstKey);
  expect(findDisruptions(before[1], await stateOf(2))).toEqual([]);
});

test("killed at any step, the agent has the key that it has returned, and returns one key for each name", async () => {
  const { steps } = await agent.trace("/v1/node-keys", { id: "killed-0" });
  expect(steps).toContain("rename to wireguard-killed-0.key");
  expect(steps.at(-1)).toBe("respond");
  for (const number of shareOfCommit([...steps.keys()], 3)) {
    const known = await readKeys();
    const id = `killed-${number + 1}`;
    await agent.trace("/v1/node-keys", { id }, { number: number + 1, name: null, atStep: agent.kill });
    agent = await startAgent(node);
    const publicKey = await addKey(id);
    expect(await addKey(id)).toBe(publicKey);
    expect(new Set(await readKeys())).toEqual(new Set([...known, publicKey]));
  }
  for (const key of (await readKeys()).slice(1)) await removeKey(key);
  expect(await node.run("ls", path.join(node.folder, "state"))).not.toContain("-");
});
