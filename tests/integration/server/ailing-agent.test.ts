/** Agents that answer, and cannot do it; and answers that are lost. */
import { expect, onTestFinished, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import type { Transport } from "../../../src/contract/client.ts";
import { ended, peerUpdate, signUp } from "./participant.ts";
import { profileServer } from "./profile-server.ts";

const said = "The node's router cannot be reached: BIRD's socket is not there. Try again in a minute.";

async function signUpBehind(through: (agent: Transport) => Transport) {
  const server = await profileServer({}, { withOutbox: true, through, waitMs: 1_500 });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return signUp(server.url, "4242420001");
}

/** The agent of a node without a router, for as long as `ails` says so. */
const withoutRouter =
  (ails: () => boolean) =>
  (agent: Transport): Transport =>
  async (request) =>
    ails() && request.path !== "/v1/facts"
      ? { status: 503, text: async () => JSON.stringify({ message: said }) }
      : agent(request);

test("a node that answers is not called unreachable: people read what its agent says", async () => {
  const ill = { now: true };
  const { asn: username, call } = await signUpBehind(withoutRouter(() => ill.now));
  const whose = { username, node: "syd01" };
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  await expect
    .poll(async () => (await call(calls.getTaskStatus, { username, taskID })).reason)
    .toBe(`syd01 answered, but could not do it: ${said} Trying again…`);
  expect(await ended({ asn: username, cookie: "", call }, taskID)).toMatchObject({
    status: "error",
    reason: `syd01 answered, but could not do it: ${said} Nothing was deployed. Try again when the node is back.`,
  });
  expect((await call(calls.getNodeStatus, whose)).results).toMatchObject({
    status: "Down",
    issues: [`syd01 answered, but could not do it: ${said}`],
  });
  ill.now = false;
  const again = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  expect(await ended({ asn: username, cookie: "", call }, again.taskID)).toMatchObject({ status: "success" });
  ill.now = true;
  await expect(call(calls.troubleshootBGP, whose)).rejects.toMatchObject({
    status: 503,
    failure: {
      message: `syd01 answered, but could not do it: ${said} Nothing was changed; try again in a minute.`,
    },
  });
});

test("a deployment whose answer was lost ends well, and says what that means", async () => {
  let lost = 0;
  const { asn: username, call } = await signUpBehind((agent) => async (request) => {
    const answer = await agent(request);
    if (request.path !== "/v1/apply" || lost > 0) return answer;
    lost += 1;
    throw new Error("socket hang up");
  });
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  expect(await ended({ asn: username, cookie: "", call }, taskID)).toMatchObject({
    status: "success",
    steps: ["The node had done this already."],
  });
  expect(lost).toBe(1);
});
