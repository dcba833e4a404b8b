/** What a node's compromised agent sends harms neither other nodes nor its node's other peerings. */
import { expect, onTestFinished, test } from "vitest";
import type { ObservedPeering } from "#contract/agent.ts";
import { calls } from "#contract/calls.ts";
import { CallError, type Transport } from "#contract/client.ts";
import { openAsServer } from "../../support/databases.ts";
import { agentResponse } from "../../support/agent-response.ts";
import { waitFor } from "../../support/wait-for.ts";
import {
  deployPeering,
  type Participant,
  randomKey,
  signUp,
  submitPeering,
  waitForTask,
} from "./participant.ts";
import { profileServer, type ProfileServerOptions } from "./profile-server.ts";
import { findTraffic } from "#server/features/peerings/observed/traffic.ts";

const [node, otherNode] = ["syd01", "per01"] as const;
const ignored = `The agent of ${node}.demo.dn42 sends what it may not: `;

/** A server whose node `syd01` responds through `respond`, and a participant. */
async function openScene(options: Omit<ProfileServerOptions, "through"> = {}) {
  const scene = {
    respond: ((agent) => agent) as (agent: Transport) => Transport,
    /** The calls that the server made to each node. */
    received: [] as Array<{ readonly node: string; readonly path: string; readonly body: string }>,
  };
  const server = await profileServer(
    {},
    {
      ...options,
      through: (agent, name) => (request) => {
        scene.received.push({ node: name, path: request.path, body: request.body ?? "" });
        return (name === node ? scene.respond(agent) : agent)(request);
      },
    },
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  const participant = await signUp(server.url, "4242420001");
  const readHealth = async () => (await fetch(`${server.url}/healthz`)).text();
  return Object.assign(scene, { server, participant, readHealth });
}

/** Changes the JSON of a call's response. */
const changing =
  <T>(path: string, change: (body: T) => unknown) =>
  (agent: Transport): Transport =>
  async (request) => {
    const response = await agent(request);
    return request.path === path ? agentResponse(change(JSON.parse(await response.text()) as T)) : response;
  };

const invented = (count: number) =>
  Array.from({ length: count }, (_, index) => String(4_200_000_000 + index));

function observedAs(asn: string): ObservedPeering {
  const tunnel = {
    state: "Up",
    rxBytes: 1,
    txBytes: 1,
    handshakeAgeSeconds: 1,
    latencyMs: 1,
    lossPercent: 0,
    endpoint: null,
  } as const;
  return { asn, tunnel, bgpStatus: "OK", sessions: [], findings: [] };
}

test("observations of invented ASes and impossible numbers are not stored, and those of others are", async () => {
  const scene = await openScene({ observeEveryMs: 40, watchEveryMs: 20 });
  const { server, participant } = scene;
  for (const name of [node, otherNode]) await deployPeering(participant, name);
  scene.respond = (agent) => async (request) => {
    const response = await agent(request);
    const usage = { cpuPercent: 1e308, memoryPercent: 40, routes: { ipv4: 1e300, ipv6: 0 } };
    // The sum of the differences is no safe integer.
    const sent = scene.received.filter((each) => each.node === node && each.path === request.path).length;
    const bytes = sent % 2 === 0 ? 0 : Number.MAX_SAFE_INTEGER;
    const huge = { ...observedAs(participant.asn).tunnel, rxBytes: bytes, txBytes: bytes };
    const own = { ...observedAs(participant.asn), tunnel: huge };
    const text = { ...observedAs("4200000001"), bgpStatus: "x".repeat(100_000) };
    const list = [own, text, ...invented(500).map(observedAs)];
    const isHostile = sent % 3 === 0;
    if (request.path === "/v1/usage" && isHostile) return agentResponse(usage);
    return request.path === "/v1/observe" ? agentResponse(list) : response;
  };
  await using database = await openAsServer({ kind: "sqlite", dataDir: server.dataDir });
  const { db } = database;
  const readRows = async () => ({
    halfHours: await db.selectFrom("current_half_hours").select(["asn", "node", "bytes"]).execute(),
    past: await db.selectFrom("past_half_hours").select("asn").execute(),
  });
  const countSamples = async () => {
    const stored = await findTraffic(db, participant.asn, 0);
    return [node, otherNode].map((name) => stored.get(name)?.length);
  };
  const [before = 0, otherBefore = 0] = await countSamples();
  await waitFor(async () => {
    const [own = 0, other = 0] = await countSamples();
    expect([own > before + 6, other > otherBefore]).toEqual([true, true]);
  });
  const { halfHours, past } = await readRows();
  expect(new Set([...halfHours, ...past].map(({ asn }) => asn))).toEqual(new Set([participant.asn]));
  expect(halfHours.map(({ bytes }) => Number.isSafeInteger(bytes ?? 0))).toEqual([true, true]);
  expect(await scene.readHealth()).toContain(ignored);
});

test("40,000 generations, also impossible ones, do not stop the comparison of the node's other peerings", async () => {
  const scene = await openScene({ reconcileEveryMs: 1_500 });
  const { participant, server } = scene;
  await deployPeering(participant, node);
  const list = [
    versionOf("\u001b[2J"),
    versionOf("4200000001", 1, "x".repeat(1_000_000)),
    ...invented(500).map((asn) => versionOf(asn, 9e15)),
    ...invented(40_000).map((asn) => versionOf(asn)),
  ];
  const repairs = () =>
    scene.received.filter(({ path, body }) => path === "/v1/apply" && body.includes(participant.asn)).length;
  const before = repairs();
  scene.respond = (agent) => async (request) => {
    if (["/v1/generations", "/v1/peerings"].includes(request.path)) return agentResponse(list);
    return agent(request);
  };
  // The list lacks the peering, so the server deploys it again.
  await waitFor(() => expect(repairs()).toBeGreaterThan(before));
  expect(await scene.readHealth()).toContain(ignored);
  const lines = server.log.map(({ msg }) => String(msg));
  expect(lines).not.toContain("reconciliation failed");
  expect(lines.filter((line) => line.startsWith("the agent of the node sent what")).length).toBeLessThan(6);
  await using database = await openAsServer({ kind: "sqlite", dataDir: server.dataDir });
  const count = async (table: "peering_conflicts" | "audit_events") =>
    (await database.db.selectFrom(table).select("node").where("node", "=", node).execute()).length;
  expect(await count("peering_conflicts")).toBe(2_000);
  // With those of the participant's own deployment.
  expect(await count("audit_events")).toBeLessThan(110);
});

function versionOf(asn: string, generation = 1, database = "x") {
  return { asn, generation, database, present: true, peering: peeringOf(asn) };
}

function peeringOf(asn: string) {
  const family = { addressFamily: "IPv6", extendedNextHop: false, peerIpv4: null, localIpv4: null } as const;
  const addresses = { peerIpv6: "fe80::1", localIpv6: "fe80::2" };
  return { asn, ...family, ...addresses, ...peerEndpoint };
}

const peerEndpoint = {
  endpointHost: "198.51.100.7",
  endpointPort: 1,
  listenPort: 20_000,
  publicKey: randomKey(),
};

test("an agent that finds every generation old ends its tasks, and uses up no numbers of other nodes", async () => {
  const scene = await openScene({ waitMs: 1_000 });
  const { participant } = scene;
  const superseded = { outcome: "superseded", steps: [], reason: null };
  let calledTimes = 0;
  scene.respond = (agent) => async (request) => {
    const { asn } = participant;
    const version = { asn, generation: 9e15 + calledTimes, present: false, database: "x" };
    if (request.path === "/v1/apply") calledTimes += 1;
    // So that a server that never ends does not hang the test.
    if (request.path === "/v1/apply" && calledTimes > 100) return agentResponse({ message: "No." }, 500);
    if (request.path === "/v1/apply") return agentResponse(superseded);
    return request.path === "/v1/generations" ? agentResponse([version]) : agent(request);
  };
  const task = await waitForTask(participant, await submitPeering(participant, node));
  expect([task.status, calledTimes < 10]).toEqual(["error", true]);
  expect(task.reason).toMatch(/^syd01\.demo\.dn42 responded with an error\. Nothing was deployed\./);
  await deployPeering(participant, otherNode);
  const applied = scene.received.findLast((each) => each.path === "/v1/apply" && each.node === otherNode);
  const { generation } = JSON.parse(applied?.body ?? "") as { readonly generation: number };
  expect(generation).toBeLessThanOrEqual(1_000_000_100);
});

async function failureOf(call: Promise<unknown>): Promise<CallError> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof CallError) return error;
  throw new Error("the call succeeded");
}

test("participants read at most some screens of what an agent prints", async () => {
  const scene = await openScene();
  const { participant } = scene;
  await deployPeering(participant, node);
  const long = "x".repeat(3 * 1024 * 1024);
  const body = { username: participant.asn, node };
  const read = async (path: string, response: unknown, call: (of: Participant) => Promise<unknown>) => {
    scene.respond = (agent) => async (request) =>
      request.path === path ? agentResponse(response) : agent(request);
    return JSON.stringify(await call(participant)).length;
  };
  const lengths = [
    await read("/v1/restart-bgp", { ok: false, output: long }, async ({ call }) => {
      return (await failureOf(call(calls.restartBGPPeer, body))).body;
    }),
    await read("/v1/details", { wireguard: long, bgp: long }, ({ call }) => call(calls.getPeerDetails, body)),
    await read("/v1/ping", { result: "failed", output: long }, ({ call }) =>
      call(calls.pingCheck, { ...body, addr_family: "ipv6" }),
    ),
  ];
  expect(lengths.map((length) => Math.ceil(length / 1024))).toEqual([5, 129, 9]);
  const facts = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [nameOf(index), 1]));
  const outcome = { outcome: "applied", steps: [{ code: "of-a-later-version", facts }], reason: null };
  scene.respond = (agent) => async (request) =>
    request.path === "/v1/apply" ? agentResponse(outcome) : agent(request);
  const taskID = await submitPeering(participant, node, { remote_port: "4000" });
  const { steps } = await waitForTask(participant, taskID);
  expect(steps.at(-1)).toBe("Did a step that the server does not know: invalid.");
});

/** The name of a fact has letters only. */
function nameOf(index: number): string {
  return index.toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz".charAt(Number(digit)));
}

test("an agent says nothing about the links of other nodes", async () => {
  const scene = await openScene();
  const lie = { from: otherNode, to: "de01", status: "down", latencyMs: null };
  scene.respond = changing<readonly object[]>("/v1/links", (links) => [
    ...links,
    lie,
    { ...lie, to: "no one" },
  ]);
  const { call } = scene.participant;
  const links = await call(calls.mapVPNStatus, undefined);
  const isListed = links.some(({ from, to }) => [from, to].toSorted().join(" ") === `de01 ${otherNode}`);
  const lied = links.filter(({ status, from, to }) => status === "down" && ![from, to].includes(node));
  expect([isListed ? lied.length : 0, links.some(({ to }) => to === "no one")]).toEqual([0, false]);
});
