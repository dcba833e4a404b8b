/** The steps of a node that takes its time: participants see those that are done while it makes the change. */
import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "#agent/fixtures/manual-clock.ts";
import { calls } from "#contract/calls.ts";
import type { Transport, TransportRequest } from "#contract/client.ts";
import type { PeerUpdate, Task } from "#contract/entities.ts";
import { waitFor } from "../../support/wait-for.ts";
import { openEvents } from "../live/event-stream.ts";
import { type Participant, signUp, submitPeering, waitForTask } from "./participant.ts";
import { profileServer } from "./profile-server.ts";
import { openSimulatedNode } from "./simulated-node.ts";

const node = "syd01";
const accepted = "Checked and saved the change.";
const called = `Called ${node}.demo.dn42 to deploy the peering.`;
const wrote = "Wrote the new configuration next to the running one.";
const tunnelTo = (endpoint: string) =>
  expect.stringMatching(new RegExp(`^Set up the tunnel on UDP port \\d+ towards ${endpoint}\\.$`)) as string;
const tunnel = tunnelTo("198.51.100.7:51820");
const loaded = [
  "BIRD parsed and loaded the new configuration.",
  "Set up the BGP session for IPv4 and IPv6 over IPv6 with extended next hop.",
];
const confirmed = "The router's health check passed, and the configuration was confirmed.";
/** The pauses of a simulated router before it has written its files, loaded BIRD, and set up tunnels. */
const [writeMs, loadMs, tunnelMs] = [250, 250, 100];

/** A server with one node whose simulated router works only while the test advances its clock. */
async function holdNode(through: (agent: Transport) => Transport = (agent) => agent) {
  const clock = createManualClock();
  const held = await openSimulatedNode(node, { clock, timeScale: 1 });
  const idle = clock.sleepers();
  const requests: TransportRequest[] = [];
  const agent = through(held.transport);
  const transport: Transport = (request) => {
    requests.push(request);
    return agent(request);
  };
  const server = await profileServer({}, { transports: new Map([[node, transport]]) });
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    const closing = held[Symbol.asyncDispose]();
    await clock.advance(10_000);
    await closing;
  });
  return {
    url: server.url,
    clock,
    /** Resolves when the router is in one of its pauses: it does nothing more until the clock advances. */
    pausing: () => waitFor(() => expect(clock.sleepers()).toBe(idle + 1)),
    /** How often the server has called the node: path, and AS number if there is one. */
    received: (path: string, asn = "") =>
      requests.filter((request) => request.path === path && (request.body ?? "").includes(asn)).length,
  };
}

const submit = (participant: Participant, changes: Partial<PeerUpdate> = {}) =>
  submitPeering(participant, node, changes);

const readTask = ({ asn: username, call }: Participant, taskID: string): Promise<Task> =>
  call(calls.getTaskStatus, { username, taskID });

/** Waits until a deployment that runs shows exactly these steps. */
async function seeSteps(participant: Participant, taskID: string, steps: readonly string[]): Promise<void> {
  await waitFor(async () =>
    expect(await readTask(participant, taskID)).toMatchObject({ status: "waiting", steps, reason: "" }),
  );
}

test("each step of the node is shown when it is done, once, before the deployment ends", async () => {
  const { url, clock, pausing } = await holdNode();
  const participant = await signUp(url, "4242420001");
  const events = await openEvents(url, participant.cookie);
  onTestFinished(() => events[Symbol.asyncDispose]());
  const taskID = await submit(participant);
  await pausing();
  await seeSteps(participant, taskID, [accepted, called]);
  await clock.advance(writeMs);
  await seeSteps(participant, taskID, [accepted, called, wrote]);
  await clock.advance(loadMs);
  await seeSteps(participant, taskID, [accepted, called, wrote, ...loaded]);
  await clock.advance(tunnelMs);
  const all = [accepted, called, wrote, ...loaded, tunnel, confirmed];
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success", steps: all });
  const published: number[] = [];
  for (let status = "waiting"; status === "waiting";) {
    const event = await events.next("task");
    ({ status } = event);
    expect(event.steps).toEqual(all.slice(0, event.steps.length));
    published.push(event.steps.length);
  }
  expect(published.filter((steps) => steps > 2)).toEqual([3, 5, 7]);
});

test("each AS of a batch sees the shared steps and its own, and none while another batch is in progress", async () => {
  const { url, clock, pausing, received } = await holdNode();
  const first = await signUp(url, "4242420001");
  const second = await signUp(url, "4242420002");
  const third = await signUp(url, "4242420003");
  const firstTask = await submit(first);
  await pausing();
  await clock.advance(writeMs);
  const secondTask = await submit(second, { remote_port: "2222" });
  const thirdTask = await submit(third, { remote_port: "3333" });
  await waitFor(() => {
    for (const { asn } of [second, third]) expect(received("/v1/progress", asn)).toBeGreaterThan(1);
  });
  await seeSteps(first, firstTask, [accepted, called, wrote]);
  await seeSteps(second, secondTask, [accepted, called]);
  await clock.advance(loadMs + tunnelMs);
  expect(await waitForTask(first, firstTask)).toMatchObject({ status: "success" });
  await pausing();
  await clock.advance(writeMs + loadMs);
  for (const [participant, task] of [
    [second, secondTask],
    [third, thirdTask],
  ] as const)
    await seeSteps(participant, task, [accepted, called, wrote, ...loaded]);
  await clock.advance(tunnelMs);
  for (const [participant, task, port] of [
    [second, secondTask, 2222],
    [third, thirdTask, 3333],
  ] as const)
    expect(await waitForTask(participant, task)).toMatchObject({
      status: "success",
      steps: [accepted, called, wrote, ...loaded, tunnelTo(`198.51.100.7:${port}`), confirmed],
    });
});

test("a batch that is refused is tried again without taking a step back, and a refused change ends with the shared ones", async () => {
  const { url, clock, pausing, received } = await holdNode();
  const first = await signUp(url, "4242420001");
  const good = await signUp(url, "4242420002");
  const refused = await signUp(url, "4242420003");
  await submit(first);
  await pausing();
  const goodTask = await submit(good);
  // A port whose peering the simulated BIRD refuses.
  const refusedTask = await submit(refused, { remote_port: "37" });
  await waitFor(() => {
    for (const { asn } of [good, refused]) expect(received("/v1/progress", asn)).toBeGreaterThan(0);
  });
  await clock.advance(writeMs + loadMs + tunnelMs);
  await pausing();
  await clock.advance(writeMs);
  for (const [participant, task] of [
    [good, goodTask],
    [refused, refusedTask],
  ] as const)
    await seeSteps(participant, task, [accepted, called, wrote]);
  await clock.advance(loadMs);
  const before = received("/v1/progress", good.asn);
  await waitFor(() => expect(received("/v1/progress", good.asn)).toBeGreaterThan(before + 2));
  await seeSteps(good, goodTask, [accepted, called, wrote]);
  await clock.advance(writeMs + loadMs);
  await seeSteps(good, goodTask, [accepted, called, wrote, ...loaded]);
  await clock.advance(tunnelMs);
  expect(await waitForTask(good, goodTask)).toMatchObject({ status: "success" });
  await pausing();
  await clock.advance(writeMs + loadMs);
  expect(await waitForTask(refused, refusedTask)).toMatchObject({
    status: "failed",
    steps: [accepted, called, wrote],
    reason: "BIRD refused the new configuration. Nothing was deployed.",
  });
});

test("an attempt after a lost connection starts its own list", async () => {
  const lost = Promise.withResolvers<never>();
  let applies = 0;
  const { url, clock, pausing } = await holdNode((agent) => (request) => {
    if (request.path !== "/v1/apply") return agent(request);
    applies += 1;
    return applies === 1 ? Promise.race([agent(request), lost.promise]) : agent(request);
  });
  const participant = await signUp(url, "4242420001");
  const taskID = await submit(participant);
  await pausing();
  await clock.advance(writeMs);
  await seeSteps(participant, taskID, [accepted, called, wrote]);
  lost.reject(new Error("socket hang up"));
  const second = `Called ${node}.demo.dn42 to deploy the peering, attempt 2.`;
  await seeSteps(participant, taskID, [accepted, second, wrote]);
  await clock.advance(loadMs + tunnelMs);
  expect(await waitForTask(participant, taskID)).toMatchObject({
    status: "success",
    steps: [accepted, second, "The node had already applied this."],
  });
});
