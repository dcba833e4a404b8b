/** A server that is newer than the agents of its nodes names the calls that they lack. */
import { expect, onTestFinished, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import type { Transport } from "../../../src/contract/client.ts";
import { waitForTask, peerUpdate, signUp } from "./participant.ts";
import { profileServer } from "./profile-server.ts";

/** An agent without these calls: it responds as it does for every unknown path. */
const lacking =
  (...paths: readonly string[]) =>
  (agent: Transport): Transport =>
  (request) =>
    agent(paths.includes(request.path) ? { ...request, path: "/v1/of-a-later-version" } : request);

async function signUpBehind(through: (agent: Transport) => Transport) {
  const server = await profileServer({}, { withOutbox: true, through });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return signUp(server.url, "4242420001");
}

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
    issues: [
      "This node's agent is older than the server and does not support this yet. Contact support to have it updated.",
    ],
  });
  expect((await participant.call(calls.troubleshootBGP, peering)).address_families).toBeTypeOf("string");
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
      message: "syd01 does not run this peering yet. Wait for its deployment to finish.",
      field: "node",
    },
  });
});
