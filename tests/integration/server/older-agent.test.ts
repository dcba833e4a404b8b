/** A server that is newer than the agents of its nodes names the calls that they lack. */
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { NodeHealth } from "../../../src/contract/agent.ts";
import { calls } from "../../../src/contract/calls.ts";
import type { Transport } from "../../../src/contract/client.ts";
import { waitForTask, peerUpdate, signUp } from "./participant.ts";
import { waitFor } from "../../support/wait-for.ts";
import { profileServer } from "./profile-server.ts";

/** An agent without these calls: it responds as it does for every unknown path. */
const lacking =
  (...paths: readonly string[]) =>
  (agent: Transport): Transport =>
  (request) =>
    agent(paths.includes(request.path) ? { ...request, path: "/v1/of-a-later-version" } : request);

/** The response of an agent. */
const respondWith = (body: unknown) => ({ status: 200, text: async () => JSON.stringify(body) });

async function startBehind(through: (agent: Transport) => Transport) {
  const server = await profileServer({}, { withOutbox: true, through });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const signUpBehind = async (through: (agent: Transport) => Transport) =>
  signUp((await startBehind(through)).url, "4242420001");

test("a call that the agent lacks is not reported as a peering that it does not run", async () => {
  const participant = await signUpBehind(lacking("/v1/refused-routes", "/v1/health"));
  const peering = { username: participant.asn, node: "syd01" };
  const { taskID } = await participant.call(calls.updatePeerConfig, [
    { username: participant.asn },
    peerUpdate({ node: "syd01" }),
  ]);
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  await expect(participant.call(calls.getRefusedRoutes, peering)).rejects.toMatchObject({
    status: 503,
    body: {
      message:
        "This node's agent is older than the server and does not support this yet. Contact support to have " +
        "it updated. Nothing was changed.",
    },
  });
  expect((await participant.call(calls.getNodeStatus, peering)).results).toMatchObject({
    status: "Down",
    known: false,
    issues: [
      "This node's agent is older than the server and does not support this yet. Contact support to have it updated.",
    ],
  });
  expect((await participant.call(calls.troubleshootBGP, peering)).address_families).toBeTypeOf("string");
});

test("an agent that sends no numbers of routes leaves them unknown", async () => {
  const participant = await signUpBehind((agent) => async (request) => {
    const response = await agent(request);
    if (request.path !== "/v1/observe") return response;
    const text = (await response.text()).replaceAll(/,"routes":\[[^\]]*\]/g, "");
    return { status: response.status, text: async () => text };
  });
  const body = { username: participant.asn };
  const update = peerUpdate({ node: "syd01", remote_port: "11" });
  const { taskID } = await participant.call(calls.updatePeerConfig, [body, update]);
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  await waitFor(async () => {
    const [status] = await participant.call(calls.getPeerStatus, body);
    expect(status).toMatchObject({ bgp_status: "OK", bgp_issues: [] });
    expect(status?.sessions.map(({ routes }) => routes)).toEqual([null]);
  });
});

test("a peering that the node does not run yet is reported as such", async () => {
  // The agent confirms the peering without applying it.
  const participant = await signUpBehind((agent) => async (request) => {
    if (request.path !== "/v1/apply") return agent(request);
    const body = JSON.stringify({ outcome: "applied", steps: [], reason: "" });
    return { status: 200, text: async () => body };
  });
  const { taskID } = await participant.call(calls.updatePeerConfig, [
    { username: participant.asn },
    peerUpdate({ node: "syd01" }),
  ]);
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  await expect(
    participant.call(calls.getRefusedRoutes, { username: participant.asn, node: "syd01" }),
  ).rejects.toMatchObject({
    status: 404,
    body: {
      message: "syd01.demo.dn42 does not run this peering yet. Wait for its deployment to finish.",
      field: "node",
    },
  });
});

test("a refused new peering is not said to have a previous configuration", async () => {
  // An agent that says of every refusal that the previous configuration is active.
  const participant = await signUpBehind((agent) => async (request) => {
    if (request.path !== "/v1/apply") return agent(request);
    const reason = "BIRD refused the new configuration. The previous configuration is still active.";
    return { status: 200, text: async () => JSON.stringify({ outcome: "refused", steps: [], reason }) };
  });
  const { taskID } = await participant.call(calls.updatePeerConfig, [
    { username: participant.asn },
    peerUpdate({ node: "syd01" }),
  ]);
  expect(await waitForTask(participant, taskID)).toMatchObject({
    status: "failed",
    reason: "BIRD refused the new configuration. Nothing was deployed.",
  });
});

test("steps with paths or names of the node are replaced, while the node works and afterwards", async () => {
  const wrote = "Wrote /etc/bird/peers/dn42_4242420001.conf.";
  const loaded = "BIRD loaded the configuration.";
  const finishing = new AbortController();
  const finished = once(finishing.signal, "abort");
  const participant = await signUpBehind((agent) => async (request) => {
    if (request.path === "/v1/progress") return respondWith({ steps: [wrote] });
    if (request.path !== "/v1/apply") return agent(request);
    await finished;
    return respondWith({ outcome: "applied", steps: [wrote, loaded], reason: "" });
  });
  const { asn: username, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  const hidden = "The node's log has the details of this step.";
  await waitFor(async () => {
    const { steps } = await call(calls.getTaskStatus, { username, taskID });
    expect(steps.slice(2)).toEqual([hidden]);
  });
  finishing.abort();
  expect((await waitForTask(participant, taskID)).steps.slice(2)).toEqual([hidden, loaded]);
});

test("an agent without database identities is served as before", async () => {
  const participant = await signUpBehind((agent) => {
    const older = lacking("/v1/pair", "/v1/peerings")(agent);
    return async (request) => {
      if (request.path !== "/v1/apply") return older(request);
      const { asn, generation, desired } = JSON.parse(request.body ?? "") as Record<string, unknown>;
      return older({ ...request, body: JSON.stringify({ asn, generation, desired }) });
    };
  });
  const { asn: username, call } = participant;
  const expectSuccess = async ({ taskID }: { readonly taskID: string }) =>
    expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  const update = peerUpdate({ node: "syd01" });
  await expectSuccess(await call(calls.updatePeerConfig, [{ username }, update]));
  await expectSuccess(await call(calls.updatePeerConfig, [{ username }, { ...update, remote_port: "7" }]));
  expect((await call(calls.getNodeStatus, { username, node: "syd01" })).results.issues).toEqual([]);
  await expectSuccess(await call(calls.deletePeer, { username, node: "syd01" }));
});

test.each([
  ["an agent with public issues", { publicIssues: ["Changes wait."] }, ["Changes wait."]],
  ["an older agent", {}, ["bird.conf was changed."]],
])("participants read the issues of %s, and the operator reads all", async (_, more, read) => {
  const server = await startBehind((agent) => async (request) => {
    const response = await agent(request);
    if (request.path !== "/v1/health") return response;
    const { publicIssues: _replaced, ...health } = JSON.parse(await response.text()) as NodeHealth;
    const changed = { ...health, status: "Issues", issues: ["bird.conf was changed."], ...more };
    return { status: response.status, text: async () => JSON.stringify(changed) };
  });
  const participant = await signUp(server.url, "4242420001");
  const body = { username: participant.asn, node: "syd01" };
  expect((await participant.call(calls.getNodeStatus, body)).results).toMatchObject({
    status: "Issues",
    issues: read,
  });
  const readHealth = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/healthz`, { headers })).text();
  expect(await readHealth({})).toMatch(/^syd01\.\S+: bird\.conf was changed\.$/m);
  for (const header of ["X-Forwarded-For", "Forwarded"])
    expect(await readHealth({ [header]: "192.0.2.1" })).toMatch(/^syd01\.\S+ has 1 issue, listed only on/m);
});
