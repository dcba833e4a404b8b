/** Agents that respond with an error or with findings, and responses that are lost. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { withProtocol } from "#contract/agent/agent-protocol.ts";
import { agentCalls, type NodeHealth, type ObservedPeering } from "#contract/agent.ts";
import { calls } from "#contract/calls.ts";
import { createCaller, type Transport } from "#contract/client.ts";
import { agentResponse } from "../../support/agent-response.ts";
import { waitFor } from "../../support/wait-for.ts";
import { deployPeering, type Participant, signUp, submitPeering, waitForTask } from "./participant.ts";
import { type ProfileServer, profileServer } from "./profile-server.ts";

const node = "syd01";
const host = "syd01.demo.dn42";
const failed = `${host} responded with an error.`;

/** What the server receives of the node, which the current test sets. */
let respond: (agent: Transport) => Transport = (agent) => agent;
let syd01: Transport;
let server: ProfileServer;
let lastAsn = 4_242_420_000;

function through(agent: Transport, name: string): Transport {
  if (name !== node) return agent;
  syd01 = agent;
  return (request) => respond(agent)(request);
}

beforeAll(async () => {
  server = await profileServer({}, { through, waitMs: 1_000, watchEveryMs: 250 });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Signs up an AS that the server does not know yet, whose node responds like this from now on. */
async function signUpBehind(next: typeof respond): Promise<Participant> {
  respond = next;
  lastAsn += 1;
  return signUp(server.url, String(lastAsn));
}

const readTask = ({ asn: username, call }: Participant, taskID: string) =>
  call(calls.getTaskStatus, { username, taskID });

async function deploy(participant: Participant) {
  return waitForTask(participant, await submitPeering(participant, node));
}

const readNode = async ({ asn: username, call }: Participant) =>
  (await call(calls.getNodeStatus, { username, node })).results;

const readHealth = async (headers: Record<string, string>) =>
  (await fetch(`${server.url}/healthz`, { headers })).text();

/** Changes the JSON of a call's response. */
const changing =
  <T>(path: string, change: (body: T) => unknown) =>
  (agent: Transport): Transport =>
  async (request) => {
    const response = await agent(request);
    return request.path === path ? agentResponse(change(JSON.parse(await response.text()) as T)) : response;
  };

test("a node that responds with an error is not called unreachable", async () => {
  let isFaulty = true;
  const message = "The node's router is not available: BIRD's socket is not there.";
  const participant = await signUpBehind(
    (agent) => async (request) =>
      isFaulty && request.path !== "/v1/facts" ? agentResponse({ message }, 503) : agent(request),
  );
  const taskID = await submitPeering(participant, node);
  await expect.poll(async () => (await readTask(participant, taskID)).reason).toBe(`${failed} Trying again…`);
  expect(await waitForTask(participant, taskID)).toMatchObject({
    status: "error",
    reason: `${failed} Nothing was deployed. Try again in a minute.`,
  });
  expect(await readNode(participant)).toMatchObject({
    status: "Down",
    known: false,
    findings: [{ code: "node-error", facts: { host } }],
  });
  isFaulty = false;
  await deployPeering(participant, node);
  isFaulty = true;
  const body = { username: participant.asn, node };
  await expect(participant.call(calls.troubleshootBGP, body)).rejects.toMatchObject({
    status: 503,
    body: { message: `${failed} Nothing was changed; try again in a minute.` },
  });
});

test("a change waits while the provider changes the node's configuration, and says so at its end", async () => {
  let isEditing = true;
  const participant = await signUpBehind(
    (agent) => async (request) =>
      isEditing && request.path === "/v1/apply"
        ? agentResponse({ message: "bird.conf was changed." }, 409)
        : agent(request),
  );
  const cause = `The provider is changing the configuration of ${host}.`;
  const reasons: string[] = [];
  for (const endsInTime of [false, true]) {
    isEditing = true;
    const taskID = await submitPeering(participant, node);
    await expect
      .poll(async () => (await readTask(participant, taskID)).reason)
      .toBe(`${cause} Your change waits until that is done.`);
    isEditing = !endsInTime;
    reasons.push((await waitForTask(participant, taskID)).reason);
  }
  expect(reasons).toEqual([`${cause} Nothing was deployed. Try again when that is done.`, ""]);
});

test("ports and addresses that other programs of the node use are not given out", async () => {
  const inUse = { ports: [20_003, 20_004], addresses: ["172.20.3.5"] };
  const participant = await signUpBehind(changing("/v1/in-use", () => inUse));
  const own = { bgp_extnh: "No", peer_ipv4: "172.20.3.5" } as const;
  await expect(submitPeering(participant, node, own)).rejects.toMatchObject({
    status: 422,
    body: {
      field: "peer_ipv4",
      message:
        "172.20.3.5 is already used on this node. Choose another address. If this one is registered to you, contact support.",
    },
  });
  await deployPeering(participant, node);
  expect(await participant.call(calls.getPeerConfig, { username: participant.asn, node })).toMatchObject({
    syd01: { local_port: "20005" },
  });
});

test("a deployment whose response was lost succeeds and explains its steps", async () => {
  let lost = 0;
  const participant = await signUpBehind((agent) => async (request) => {
    const response = await agent(request);
    if (request.path !== "/v1/apply" || lost > 0) return response;
    lost += 1;
    throw new Error("socket hang up");
  });
  expect(await deploy(participant)).toMatchObject({
    status: "success",
    steps: [
      "Checked and saved the change.",
      `Called ${host} to deploy the peering, attempt 2.`,
      "The node had already applied this.",
    ],
  });
  expect(lost).toBe(1);
});

test("a new peering whose deployment failed is removed from the node that applied it", async () => {
  let fault: "none" | "lost responses" | "offline" = "lost responses";
  const participant = await signUpBehind((agent) => async (request) => {
    if (fault === "offline") throw new Error("connect EHOSTUNREACH");
    const response = await agent(request);
    if (request.path === "/v1/apply" && fault === "lost responses") throw new Error("socket hang up");
    return response;
  });
  const isApplied = async () => {
    const versions = await createCaller(withProtocol(syd01))(agentCalls.generations, undefined);
    return versions.find(({ asn }) => asn === participant.asn)?.present;
  };
  expect(await deploy(participant)).toMatchObject({ status: "error" });
  expect(await isApplied()).toBe(true);
  fault = "offline";
  await waitFor(async () => expect((await readNode(participant)).known).toBe(false));
  fault = "none";
  await waitFor(async () => expect((await readNode(participant)).known).toBe(true));
  await waitFor(async () => expect(await isApplied()).toBe(false));
  expect((await readNode(participant)).issues).toEqual([]);
});

test("a peering that the node does not run yet is reported as such", async () => {
  const applied = { outcome: "applied", steps: [], reason: null };
  const participant = await signUpBehind(
    (agent) => async (request) => (request.path === "/v1/apply" ? agentResponse(applied) : agent(request)),
  );
  await deployPeering(participant, node);
  const body = { username: participant.asn, node };
  await expect(participant.call(calls.getRefusedRoutes, body)).rejects.toMatchObject({
    status: 404,
    body: {
      message: `${host} does not run this peering yet. Wait for its deployment to finish.`,
      field: "node",
    },
  });
});

test("participants read what concerns them of a node's findings, and the operator reads all", async () => {
  const findings = [
    { code: "bird-files-not-loaded", facts: { files: ["bird.conf"], isInvalid: false } },
    { code: "packet-filter-changed", facts: {} },
  ];
  const participant = await signUpBehind(
    changing<NodeHealth>("/v1/health", (health) => ({ ...health, status: "Issues", findings })),
  );
  await waitFor(async () => expect((await readNode(participant)).status).toBe("Issues"));
  const results = await readNode(participant);
  expect(results).toMatchObject({
    issues: [expect.stringMatching(/^The provider is changing this node's configuration\. /)],
    findings: [{ code: "bird-files-not-loaded" }],
  });
  expect(JSON.stringify(results)).not.toContain("bird.conf");
  expect(await readHealth({})).toMatch(
    /^syd01\.\S+: .+ bird\.conf was changed and not yet loaded; .+\nsyd01\.\S+: The packet filter /m,
  );
  for (const header of ["X-Forwarded-For", "Forwarded"])
    expect(await readHealth({ [header]: "192.0.2.1" })).toBe("issues\n");
});

test("participants read of a finding that this server does not know only that the node has a problem", async () => {
  const unknown = [{ code: "of-a-later-version", facts: {} }];
  const participant = await signUpBehind(
    changing<{ readonly peering: ObservedPeering }>("/v1/observe-peering", ({ peering }) => ({
      peering: { ...peering, findings: unknown },
    })),
  );
  await deployPeering(participant, node);
  const [status] = await participant.call(calls.getPeerStatus, { username: participant.asn });
  expect(status?.findings).toEqual([{ code: "node-problem", facts: {} }]);
});

test("participants read that a node does not forward packets, and nothing about its inside", async () => {
  const facts = { from: "dn42_4242420009", to: "172.21.2.1", output: "No route to host" };
  const inside = [
    { code: "forwarding-refused", facts },
    { code: "node-addresses-missing", facts: { addresses: ["172.20.16.9"] } },
  ];
  const participant = await signUpBehind(
    changing<object>("/v1/health", (health) => ({ ...health, status: "Issues", findings: inside })),
  );
  const read = await readNode(participant);
  expect(read).toMatchObject({
    status: "Issues",
    findings: [{ code: "node-not-forwarding", facts: {} }],
    issues: ["The node does not forward packets at the moment."],
  });
  expect(JSON.stringify(read)).not.toMatch(/4242420009|172\.2|route/);
});

test("a deployment that ends while the server compares the node with the database is no repair", async () => {
  const firstRead = Promise.withResolvers<void>();
  const requests: string[] = [];
  await using starting = await profileServer(
    {},
    {
      through: (agent, name) => async (request) => {
        const response = await agent(request);
        if (name !== node) return response;
        requests.push(request.path);
        if (request.path === "/v1/generations") await firstRead.promise;
        return response;
      },
    },
  );
  await waitFor(() => expect(requests).toContain("/v1/generations"));
  const participant = await signUp(starting.url, "4242420001");
  await deployPeering(participant, node);
  firstRead.resolve();
  // The server asks for the events at the end of its comparison.
  await waitFor(() => expect(requests).toContain("/v1/events"));
  expect(requests.filter((path) => path === "/v1/apply")).toHaveLength(2);
  const { entries } = await participant.call(calls.getActivity, { username: participant.asn });
  expect(entries.filter((entry) => entry.node === node).map(({ text }) => text)).toEqual([
    `You created the peering on ${host}.`,
  ]);
});
