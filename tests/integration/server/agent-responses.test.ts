/** What participants and the operator read of an agent's responses. */
import { expect, onTestFinished, test } from "vitest";
import type { NodeHealth } from "../../../src/contract/agent.ts";
import { calls } from "../../../src/contract/calls.ts";
import type { Transport } from "../../../src/contract/client.ts";
import { waitForTask, peerUpdate, signUp } from "./participant.ts";
import { profileServer } from "./profile-server.ts";
import { agentResponse } from "../../support/agent-response.ts";

async function startBehind(through: (agent: Transport) => Transport) {
  const server = await profileServer({}, { withOutbox: true, through });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

test("a peering that the node does not run yet is reported as such", async () => {
  // The agent confirms the peering without applying it.
  const { url } = await startBehind((agent) => async (request) => {
    if (request.path !== "/v1/apply") return agent(request);
    return agentResponse({ outcome: "applied", steps: [], reason: "" });
  });
  const participant = await signUp(url, "4242420001");
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

test("participants read the public issues of a node, and the operator reads all", async () => {
  const server = await startBehind((agent) => async (request) => {
    const response = await agent(request);
    if (request.path !== "/v1/health") return response;
    const health = JSON.parse(await response.text()) as NodeHealth;
    const issues = { issues: ["bird.conf was changed."], publicIssues: ["Changes wait."] };
    const changed = { ...health, status: "Issues", ...issues };
    return agentResponse(changed);
  });
  const participant = await signUp(server.url, "4242420001");
  const body = { username: participant.asn, node: "syd01" };
  expect((await participant.call(calls.getNodeStatus, body)).results).toMatchObject({
    status: "Issues",
    issues: ["Changes wait."],
  });
  const readHealth = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/healthz`, { headers })).text();
  expect(await readHealth({})).toMatch(/^syd01\.\S+: bird\.conf was changed\.$/m);
  for (const header of ["X-Forwarded-For", "Forwarded"])
    expect(await readHealth({ [header]: "192.0.2.1" })).toMatch(/^syd01\.\S+ has 1 issue, listed only on/m);
});
