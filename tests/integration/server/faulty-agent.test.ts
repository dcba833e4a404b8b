/** Agents that respond with an error, and responses that are lost. */
import { expect, onTestFinished, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import type { Transport } from "../../../src/contract/client.ts";
import { waitForTask, peerUpdate, signUp } from "./participant.ts";
import { profileServer } from "./profile-server.ts";

const message = "The node's router is not available: BIRD's socket is not there. Try again in a minute.";

async function signUpBehind(through: (agent: Transport) => Transport) {
  const server = await profileServer({}, { withOutbox: true, through, waitMs: 5_000 });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return signUp(server.url, "4242420001");
}

/** An agent peering router is unavailable while `isFaulty` returns true. */
const withoutRouter =
  (isFaulty: () => boolean) =>
  (agent: Transport): Transport =>
  async (request) =>
    isFaulty() && request.path !== "/v1/facts"
      ? { status: 503, text: async () => JSON.stringify({ message }) }
      : agent(request);

test("a node that responds is not called unreachable: participants read the message of its agent", async () => {
  const fault = { isActive: true };
  const { asn: username, call } = await signUpBehind(withoutRouter(() => fault.isActive));
  const peering = { username, node: "syd01" };
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  await expect
    .poll(async () => (await call(calls.getTaskStatus, { username, taskID })).reason)
    .toBe(`syd01 responded with an error: ${message} Trying again…`);
  expect(await waitForTask({ asn: username, cookie: "", call }, taskID)).toMatchObject({
    status: "error",
    reason: `syd01 responded with an error: ${message} Nothing was deployed. Try again when the node is back.`,
  });
  expect((await call(calls.getNodeStatus, peering)).results).toMatchObject({
    status: "Down",
    issues: [`syd01 responded with an error: ${message}`],
  });
  fault.isActive = false;
  const again = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  expect(await waitForTask({ asn: username, cookie: "", call }, again.taskID)).toMatchObject({
    status: "success",
  });
  fault.isActive = true;
  await expect(call(calls.troubleshootBGP, peering)).rejects.toMatchObject({
    status: 503,
    body: {
      message: `syd01 responded with an error: ${message} Nothing was changed; try again in a minute.`,
    },
  });
});

test("a deployment whose response was lost succeeds and explains its steps", async () => {
  let lost = 0;
  const { asn: username, call } = await signUpBehind((agent) => async (request) => {
    const response = await agent(request);
    if (request.path !== "/v1/apply" || lost > 0) return response;
    lost += 1;
    throw new Error("socket hang up");
  });
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  expect(await waitForTask({ asn: username, cookie: "", call }, taskID)).toMatchObject({
    status: "success",
    steps: ["The node had already applied this."],
  });
  expect(lost).toBe(1);
});
