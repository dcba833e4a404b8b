/** A server and an agent of different versions: nothing on the node changes until both speak the same protocol. */
import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "#agent/agent.ts";
import { systemClock } from "#agent/clock.ts";
import { simulatedResolver } from "#agent/drivers/simulated/simulated-resolver.ts";
import { createSimulatedRouter } from "#agent/drivers/simulated/simulated-router.ts";
import {
  createMemoryEventStore,
  createMemoryNodesStore,
  createMemoryStore,
} from "#agent/fixtures/memory-store.ts";
import { rules } from "#agent/fixtures/peerings.ts";
import { silentLog } from "#agent/fixtures/silent-log.ts";
import { createInProcessTransport } from "#agent/simulated-agent.ts";
import { protocolHeader } from "#contract/agent/agent-protocol.ts";
import { calls } from "#contract/calls.ts";
import type { Transport } from "#contract/client.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { waitFor } from "../../support/wait-for.ts";
import { deployPeering, logIn, type Participant, signUp, submitPeering, waitForTask } from "./participant.ts";
import { type ProfileServer, profileServer } from "./profile-server.ts";

const node = "syd01";
const host = "syd01.demo.dn42";
/** The first and the third one have a peering. */
const [first, second, third] = ["4242420001", "4242420002", "4242420003"] as const;

/** A node whose tunnels and sessions keep running while its agent is upgraded. */
async function openNode() {
  const router = createSimulatedRouter({
    node,
    nodes: [node],
    providerAsn: rules.providerAsn,
    clock: systemClock,
    timeScale: 0,
  });
  const store = createMemoryStore();
  const eventStore = createMemoryEventStore();
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: unknown, text: string) => void warnings.push(text) };
  const startAgent = (protocol: number) =>
    createAgent({
      node,
      router: { ...router, [Symbol.asyncDispose]: async () => undefined },
      resolver: simulatedResolver,
      store,
      eventStore,
      otherNodesStore: createMemoryNodesStore(),
      rules,
      clock: systemClock,
      log: log as never,
      protocol,
    });
  let agent = await startAgent(1);
  let hasHeader = true;
  onTestFinished(() => agent[Symbol.asyncDispose]());
  const transport: Transport = async (request) => {
    const headers = { ...request.headers, ...(!hasHeader && { [protocolHeader]: "1" }) };
    const response = await createInProcessTransport(agent.handle, 60_000)({ ...request, headers });
    return hasHeader ? response : { ...response, header: () => null };
  };
  return {
    transport,
    warnings,
    /** Replaces the agent by one that speaks this protocol. */
    async upgrade(protocol: number) {
      await agent[Symbol.asyncDispose]();
      agent = await startAgent(protocol);
    },
    /** Whether the agent says which protocol it speaks. If not, it accepts every one. */
    setHasHeader: (has: boolean) => void (hasHeader = has),
    /** What the node runs for the first participant, with the times since when. */
    async read() {
      const { bgp } = await router.details(first);
      return { stored: store.saved, sessions: bgp.match(/^dn42_.*$/gm) };
    },
  };
}

async function openScene() {
  const running = await openNode();
  const at = { kind: "sqlite", dataDir: await createScratchFolder(onTestFinished) } as const;
  const transports = new Map([[node, running.transport]]);
  const servers: ProfileServer[] = [];
  const stop = async () => servers.at(-1)?.[Symbol.asyncDispose]();
  onTestFinished(stop);
  return {
    node: running,
    countWarnings: (end: string) =>
      servers.flatMap(({ log }) => log).filter(({ msg }) => String(msg).endsWith(end)).length,
    url: () => servers.at(-1)?.url ?? "",
    /** Starts a server that speaks this protocol on the database of the one before. */
    async start(protocol: number) {
      await stop();
      servers.push(
        await profileServer({}, { at, transports, waitMs: 1_000, reconcileEveryMs: 50, protocol }),
      );
    },
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

interface Mismatch {
  readonly what: string;
  /** Starts with both on protocol 1. */
  readonly begin: (scene: Scene) => Promise<void>;
  readonly end: (scene: Scene) => Promise<void>;
  readonly spoken: string;
}

const mismatches: readonly Mismatch[] = [
  {
    what: "a server that was upgraded before the agent",
    begin: (scene) => scene.start(2),
    end: (scene) => scene.node.upgrade(2),
    spoken: "Its agent speaks protocol 1, this server speaks 2. Upgrade the agent",
  },
  {
    what: "an agent that was upgraded before the server",
    begin: (scene) => scene.node.upgrade(2),
    end: (scene) => scene.start(2),
    spoken: "Its agent speaks protocol 2, this server speaks 1. Upgrade the server",
  },
  {
    what: "an agent that does not say its protocol",
    begin: async (scene) => {
      scene.node.setHasHeader(false);
      await scene.start(2);
    },
    end: async (scene) => {
      scene.node.setHasHeader(true);
      await scene.node.upgrade(2);
    },
    spoken: "Its agent does not say which protocol it speaks, this server speaks 2. Upgrade the agent",
  },
];

const upgrading = `The provider is upgrading ${host}; peerings on it keep running.`;

async function submitAndWait(participant: Participant, change: "edit" | "delete") {
  const { asn: username, call } = participant;
  const taskID =
    change === "edit"
      ? await submitPeering(participant, node, { remote_port: "7" })
      : (await call(calls.deletePeer, { username, node })).taskID;
  if (change === "edit") {
    await expect
      .poll(async () => (await call(calls.getTaskStatus, { username, taskID })).reason)
      .toBe(`${upgrading} Your change waits until that is done.`);
  }
  return waitForTask(participant, taskID);
}

test.each(mismatches)("$what: what the node runs stays as it is", async ({ begin, end, spoken }) => {
  const scene = await openScene();
  await scene.start(1);
  for (const asn of [first, third]) await deployPeering(await signUp(scene.url(), asn), node);
  await signUp(scene.url(), second);
  const before = await scene.node.read();
  expect(before).toMatchObject({
    stored: [{ asn: first }, { asn: third }],
    sessions: [expect.stringMatching(/Established/)],
  });

  await begin(scene);
  const url = scene.url();
  const participant = await logIn(url, first);
  const { call } = participant;
  const peering = { username: first, node };
  const ends = await Promise.all([
    submitAndWait(participant, "edit"),
    submitAndWait(await logIn(url, second), "edit"),
    submitAndWait(await logIn(url, third), "delete"),
  ]);
  expect(ends).toMatchObject(
    [
      ["error", "The previous configuration was kept."],
      ["error", "Nothing was deployed."],
      ["failed", "The peering was kept."],
    ].map(([status, outcome]) => ({
      status,
      reason: `${upgrading} ${outcome} Try again when that is done.`,
    })),
  );
  expect(await call(calls.getPeerStatus, { username: first })).toMatchObject([
    {
      known: false,
      wg_status: { issues: [upgrading] },
      findings: [{ code: "node-upgrading" }],
    },
  ]);
  expect((await call(calls.getNodeStatus, peering)).results).toMatchObject({
    known: false,
    issues: [upgrading],
  });
  await expect(call(calls.restartBGPPeer, peering)).rejects.toMatchObject({
    status: 503,
    body: { message: `${upgrading} Nothing was changed; try again in a minute.` },
  });
  expect(await (await fetch(`${url}/healthz`)).text()).toContain(`\n${upgrading} ${spoken}.\n`);
  const warned = () => scene.countWarnings(` ${spoken}.`);
  expect(warned()).toBe(1);
  expect(await scene.node.read()).toEqual(before);

  await end(scene);
  const later = await logIn(scene.url(), first);
  await waitFor(async () => {
    expect(await later.call(calls.getPeerStatus, { username: first })).toMatchObject([
      { known: true, wg_status: { state: "Up" } },
    ]);
  });
  expect((await scene.node.read()).sessions).toEqual(before.sessions);
  await deployPeering(later, node, { remote_port: "9" });
  expect(warned()).toBe(1);
});

test.each([
  ["0", "The server speaks protocol 0, this agent speaks 1. Nothing was changed. Upgrade the server."],
  ["2", "The server speaks protocol 2, this agent speaks 1. Nothing was changed. Upgrade the agent."],
  ["", "The server sends no protocol number, this agent speaks 1. Nothing was changed. Upgrade the server."],
])("an agent refuses requests of protocol %j before it reads them", async (protocol, message) => {
  const { transport, warnings } = await openNode();
  const request = {
    method: "POST",
    path: "/v1/apply",
    headers: { [protocolHeader]: protocol },
    body: "not JSON",
    signal: undefined,
  } as const;
  for (const path of ["/v1/apply", "/v1/of-a-later-version"]) {
    const response = await transport({ ...request, path });
    expect([response.status, response.header?.(protocolHeader)]).toEqual([426, "1"]);
    expect(JSON.parse(await response.text())).toEqual({ message });
  }
  expect(warnings).toEqual([message]);
});

test("an agent says its protocol with every response", async () => {
  const { transport } = await openNode();
  const headers = { [protocolHeader]: "1" };
  const statusOf = async (path: string, body: string | null) => {
    const method = body === null ? "GET" : "POST";
    const response = await transport({ method, path, headers, body, signal: undefined });
    return [response.status, response.header?.(protocolHeader)];
  };
  expect(await statusOf("/v1/facts", null)).toEqual([200, "1"]);
  expect(await statusOf("/v1/of-a-later-version", null)).toEqual([404, "1"]);
  expect(await statusOf("/v1/apply", "not JSON")).toEqual([400, "1"]);
  expect(await statusOf("/v1/apply", " ".repeat(64 * 1024 + 1))).toEqual([413, "1"]);
  expect(await statusOf("/v1/details", JSON.stringify({ asn: first }))).toEqual([404, "1"]);
});
