/** A server that was updated before the agents of its nodes: what they lack is told as that, and as nothing else. */
import { expect, onTestFinished, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import type { Transport } from "../../../src/contract/client.ts";
import { ended, peerUpdate, signUp } from "./participant.ts";
import { profileServer } from "./profile-server.ts";

/** The agent without these calls, answering as it does for every path that it does not know. */
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

test("a call that the agent lacks is not taken for a peering that it does not run", async () => {
  const participant = await signUpBehind(lacking("/v1/refused-routes", "/v1/health"));
  const whose = { username: participant.asn, node: "syd01" };
  const { taskID } = await participant.call(calls.updatePeerConfig, [
    { username: participant.asn },
    peerUpdate({ node: "syd01" }),
  ]);
  expect(await ended(participant, taskID)).toMatchObject({ status: "success" });
  await expect(participant.call(calls.getRefusedRoutes, whose)).rejects.toMatchObject({
    status: 503,
    failure: {
      message:
        "This node's agent is older than the server and cannot tell this yet. Contact support, so that it is " +
        "updated. Nothing was changed.",
    },
  });
  expect((await participant.call(calls.getNodeStatus, whose)).results).toMatchObject({
    status: "Down",
    issues: [
      "This node's agent is older than the server and cannot tell this yet. Contact support, so that it is updated.",
    ],
  });
  expect((await participant.call(calls.troubleshootBGP, whose)).address_families).toBeTypeOf("string");
});

test("a peering that the node does not run yet is told as that", async () => {
  // A node that takes the peering and then forgets it.
  const participant = await signUpBehind((agent) => async (request) => {
    if (request.path !== "/v1/apply") return agent(request);
    const answer = JSON.stringify({ outcome: "applied", steps: [], reason: "" });
    return { status: 200, text: async () => answer };
  });
  const { taskID } = await participant.call(calls.updatePeerConfig, [
    { username: participant.asn },
    peerUpdate({ node: "syd01" }),
  ]);
  expect(await ended(participant, taskID)).toMatchObject({ status: "success" });
  await expect(
    participant.call(calls.getRefusedRoutes, { username: participant.asn, node: "syd01" }),
  ).rejects.toMatchObject({
    status: 404,
    failure: {
      message: "syd01 does not run this peering yet. Wait for its deployment to end.",
      field: "node",
    },
  });
});
