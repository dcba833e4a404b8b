/** Agents that respond with an error, and responses that are lost. */
import { expect, onTestFinished, test } from "vitest";
import { agentCalls } from "#contract/agent.ts";
import { calls } from "#contract/calls.ts";
import { createCaller, type Transport } from "#contract/client.ts";
import { waitFor } from "../../support/wait-for.ts";
import { waitForTask, peerUpdate, signUp } from "./participant.ts";
import { profileServer } from "./profile-server.ts";
import { agentResponse } from "../../support/agent-response.ts";
import { withProtocol } from "#contract/agent/agent-protocol.ts";

const message = "The node's router is not available: BIRD's socket is not there.";
const failed = "syd01.demo.dn42 responded with an error.";

async function signUpBehind(through: (agent: Transport, name: string) => Transport) {
  const server = await profileServer({}, { withOutbox: true, through, waitMs: 2_000 });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return signUp(server.url, "4242420001");
}

/** An agent whose router is unavailable while `isFaulty` returns true. */
const withoutRouter =
  (isFaulty: () => boolean) =>
  (agent: Transport): Transport =>
  async (request) =>
    isFaulty() && request.path !== "/v1/facts" ? agentResponse({ message }, 503) : agent(request);

test("a node that responds with an error is not called unreachable", async () => {
  const fault = { isActive: true };
  const { asn: username, call } = await signUpBehind(withoutRouter(() => fault.isActive));
  const peering = { username, node: "syd01" };
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  await expect
    .poll(async () => (await call(calls.getTaskStatus, { username, taskID })).reason)
    .toBe(`${failed} Trying again…`);
  expect(await waitForTask({ asn: username, cookie: "", call }, taskID)).toMatchObject({
    status: "error",
    reason: `${failed} Nothing was deployed. Try again in a minute.`,
  });
  expect((await call(calls.getNodeStatus, peering)).results).toMatchObject({
    status: "Down",
    known: false,
    findings: [{ code: "node-error", facts: { host: "syd01.demo.dn42" } }],
  });
  fault.isActive = false;
  const again = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  expect(await waitForTask({ asn: username, cookie: "", call }, again.taskID)).toMatchObject({
    status: "success",
  });
  fault.isActive = true;
  await expect(call(calls.troubleshootBGP, peering)).rejects.toMatchObject({
    status: 503,
    body: { message: `${failed} Nothing was changed; try again in a minute.` },
  });
});

test("a change waits while the provider changes the node's configuration, and says so at its end", async () => {
  const operator = { isEditing: true };
  const { asn: username, call } = await signUpBehind((agent) => async (request) => {
    if (!operator.isEditing || request.path !== "/v1/apply") return agent(request);
    return agentResponse({ message: "bird.conf was changed." }, 409);
  });
  const participant = { asn: username, cookie: "", call };
  const submitPeering = () => call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  const cause = "The provider is changing the configuration of syd01.demo.dn42.";
  const { taskID } = await submitPeering();
  await expect
    .poll(async () => (await call(calls.getTaskStatus, { username, taskID })).reason)
    .toBe(`${cause} Your change waits until that is done.`);
  expect(await waitForTask(participant, taskID)).toMatchObject({
    status: "error",
    reason: `${cause} Nothing was deployed. Try again when that is done.`,
  });
  const again = await submitPeering();
  await expect
    .poll(async () => (await call(calls.getTaskStatus, { username, taskID: again.taskID })).reason)
    .toContain(cause);
  operator.isEditing = false;
  expect(await waitForTask(participant, again.taskID)).toMatchObject({ status: "success", reason: "" });
});

test("ports and addresses that other programs of the node use are not given out", async () => {
  const inUse = { ports: [20_001, 20_002], addresses: ["172.20.1.5"] };
  const { asn: username, call } = await signUpBehind(
    (agent) => async (request) => (request.path === "/v1/in-use" ? agentResponse(inUse) : agent(request)),
  );
  const own = { node: "syd01", bgp_extnh: "No", peer_ipv4: "172.20.1.5" } as const;
  await expect(call(calls.updatePeerConfig, [{ username }, peerUpdate(own)])).rejects.toMatchObject({
    status: 422,
    body: { field: "peer_ipv4", message: "172.20.1.5 is already used on this node. Choose another address." },
  });
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  await waitForTask({ asn: username, cookie: "", call }, taskID);
  expect(await call(calls.getPeerConfig, { username, node: "syd01" })).toMatchObject({
    syd01: { local_port: "20003" },
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
    steps: [
      "Checked and saved the change.",
      "Called syd01.demo.dn42 to deploy the peering, attempt 2.",
      "The node had already applied this.",
    ],
  });
  expect(lost).toBe(1);
});

test("a new peering whose deployment failed is removed from the node that applied it", async () => {
  let fault: "none" | "lost responses" | "offline" = "lost responses";
  let syd01: Transport | undefined;
  const { asn: username, call } = await signUpBehind((agent) => {
    syd01 ??= agent;
    return async (request) => {
      if (fault === "offline") throw new Error("connect EHOSTUNREACH");
      const response = await agent(request);
      if (request.path === "/v1/apply" && fault === "lost responses") throw new Error("socket hang up");
      return response;
    };
  });
  const isApplied = async () => {
    if (!syd01) throw new Error("the node has no transport");
    const [version] = await createCaller(withProtocol(syd01))(agentCalls.generations, undefined);
    return version?.present;
  };
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  expect(await waitForTask({ asn: username, cookie: "", call }, taskID)).toMatchObject({ status: "error" });
  expect(await isApplied()).toBe(true);
  const readStatus = () => call(calls.getNodeStatus, { username, node: "syd01" });
  fault = "offline";
  await waitFor(async () => expect((await readStatus()).results.known).toBe(false));
  fault = "none";
  await waitFor(async () => expect((await readStatus()).results.known).toBe(true));
  await waitFor(async () => expect(await isApplied()).toBe(false));
  expect((await readStatus()).results.issues).toEqual([]);
});

test("a deployment that ends while the server compares the node with the database is no repair", async () => {
  const firstRead = Promise.withResolvers<void>();
  const requests: string[] = [];
  const { asn: username, call } = await signUpBehind((agent, name) => async (request) => {
    const response = await agent(request);
    if (name !== "syd01") return response;
    requests.push(request.path);
    if (request.path === "/v1/generations") await firstRead.promise;
    return response;
  });
  await waitFor(() => expect(requests).toContain("/v1/generations"));
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "syd01" })]);
  expect(await waitForTask({ asn: username, cookie: "", call }, taskID)).toMatchObject({ status: "success" });
  firstRead.resolve();
  // The server asks for the events at the end of its comparison.
  await waitFor(() => expect(requests).toContain("/v1/events"));
  expect(requests.filter((path) => path === "/v1/apply")).toHaveLength(2);
  const { entries } = await call(calls.getActivity, { username });
  expect(entries.filter(({ node }) => node === "syd01").map(({ text }) => text)).toEqual([
    "The peering was deployed on syd01.demo.dn42.",
    "You created the peering on syd01.demo.dn42.",
  ]);
});
