/** What participants and the operator read of an agent's responses. */
import { expect, onTestFinished, test } from "vitest";
import type { NodeHealth, ObservedPeering } from "#contract/agent.ts";
import { calls } from "#contract/calls.ts";
import type { Transport } from "#contract/client.ts";
import { deployPeering, waitForTask, peerUpdate, signUp } from "./participant.ts";
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
    return agentResponse({ outcome: "applied", steps: [], reason: null });
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

test("participants read what concerns them of a node's findings, and the operator reads all", async () => {
  const server = await startBehind((agent) => async (request) => {
    const response = await agent(request);
    if (request.path !== "/v1/health") return response;
    const health = JSON.parse(await response.text()) as NodeHealth;
    const findings = [
      { code: "bird-files-not-loaded", facts: { files: ["bird.conf"], isInvalid: false } },
      { code: "packet-filter-changed", facts: {} },
    ];
    const changed = { ...health, status: "Issues", findings };
    return agentResponse(changed);
  });
  const participant = await signUp(server.url, "4242420001");
  const body = { username: participant.asn, node: "syd01" };
  const { results } = await participant.call(calls.getNodeStatus, body);
  expect(results).toMatchObject({
    status: "Issues",
    issues: [expect.stringMatching(/^The provider is changing this node's configuration\. /)],
    findings: [{ code: "bird-files-not-loaded" }],
  });
  expect(JSON.stringify(results)).not.toContain("bird.conf");
  const readHealth = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/healthz`, { headers })).text();
  expect(await readHealth({})).toMatch(
    /^syd01\.\S+: .+ bird\.conf was changed and not yet loaded; .+\nsyd01\.\S+: The packet filter /m,
  );
  for (const header of ["X-Forwarded-For", "Forwarded"])
    expect(await readHealth({ [header]: "192.0.2.1" })).toMatch(/^syd01\.\S+ has 2 issues, listed only on/m);
});

test("participants read of a finding that this server does not know only that the node has a problem", async () => {
  const server = await startBehind((agent) => async (request) => {
    const response = await agent(request);
    if (request.path !== "/v1/observe") return response;
    const [observed] = JSON.parse(await response.text()) as ObservedPeering[];
    const findings = [{ code: "of-a-later-version", facts: {} }];
    return agentResponse(observed ? [{ ...observed, findings }] : []);
  });
  const participant = await signUp(server.url, "4242420001");
  await deployPeering(participant, "syd01");
  const [status] = await participant.call(calls.getPeerStatus, { username: participant.asn });
  expect(status?.findings).toEqual([{ code: "node-problem", facts: {} }]);
});
