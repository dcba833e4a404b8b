/** Scripts that act with an API token instead of a login session. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { Call } from "#contract/call.ts";
import type { Task } from "#contract/entities.ts";
import { livePath } from "#contract/live-events.ts";
import { demoServer, type DemoServer } from "./demo-server.ts";
import { type Participant, peerUpdate, signUp, submitPeering, waitForTask } from "./participant.ts";

const username = "4242420001";
let server: DemoServer;
let participant: Participant;

beforeAll(async () => {
  server = await demoServer();
  participant = await signUp(server.url, username);
});

afterAll(() => server[Symbol.asyncDispose]());

async function create(name: string, node: string | null): Promise<string> {
  const rights = { scope: "change", node, days: 30, ends_with_password: true } as const;
  return (await participant.call(calls.createApiToken, { username, name, ...rights })).token;
}

async function send(token: string, { method, path }: Pick<Call, "method" | "path">, body?: unknown) {
  const response = await fetch(server.url + path, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

async function deploy(token: string, call: Pick<Call, "method" | "path">, body: unknown): Promise<void> {
  const submitted = await send(token, call, body);
  expect(submitted.status).toBe(200);
  const { taskID } = submitted.body as Task;
  expect((await send(token, calls.getTaskStatus, { username, taskID })).status).toBe(200);
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
}

test("a token of one node does the main job there, and the activity names it", async () => {
  const token = await create("router script", "syd01");
  const update = peerUpdate();
  await deploy(token, calls.updatePeerConfig, [{ username }, update]);
  await waitForTask(participant, await submitPeering(participant, "per01"));
  const statuses = await send(token, calls.getPeerStatus, { username });
  expect(statuses.body).toMatchObject([{ node: "syd01" }]);
  await deploy(token, calls.updatePeerConfig, [{ username }, { ...update, remote_port: "51821" }]);
  expect((await send(token, calls.restartBGPPeer, { username, node: "syd01" })).status).toBe(200);
  await deploy(token, calls.deletePeer, { username, node: "syd01" });
  expect((await send(token, calls.deletePeer, { username, node: "per01" })).status).toBe(403);

  const { entries } = await participant.call(calls.getActivity, { username });
  const acts = entries.filter(({ node }) => node === "syd01");
  expect(acts.map(({ text, own }) => [text.replace(/^.*?(?=This was)/, ""), own])).toEqual([
    ["This was done with the API token “router script”.", false],
    ["This was done with the API token “router script”.", false],
    ["This was done with the API token “router script”.", false],
  ]);
});

test("a token opens no stream of events, not even beside a cookie", async () => {
  const token = await create("stream", null);
  const headers = { authorization: `Bearer ${token}`, cookie: participant.cookie };
  const response = await fetch(server.url + livePath, { headers });
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({
    message: "This needs a login session, and no API token opens it. Nothing was changed; log in to the app.",
  });
});

test("an unknown node of a new token is named with those that exist", async () => {
  const { body } = await (async () => {
    const rights = { scope: "read", node: "nowhere", days: 30, ends_with_password: true };
    const response = await fetch(server.url + calls.createApiToken.path, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: participant.cookie },
      body: JSON.stringify({ username, name: "x", ...rights }),
    });
    return { body: (await response.json()) as unknown };
  })();
  expect(body).toMatchObject({ field: "node", message: expect.stringContaining("syd01") });
});
