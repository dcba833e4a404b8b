/** Live events over HTTP: who hears what, and how a stream ends. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import { livePath } from "../../../src/contract/live.ts";
import { mostPerAs } from "../../../src/server/features/live/streams.ts";
import { createTestDatabase } from "../../setup/databases.ts";
import { type DemoServer, demoServer, type DemoServerOptions } from "../server/demo-server.ts";
import {
  caller,
  ended,
  mailedToken,
  type Participant,
  peerUpdate,
  setNodeMode,
  signIn,
  signUp,
} from "../server/participant.ts";
import { sharedNetwork } from "../server/shared-network.ts";
import { type EventStream, openEvents } from "./event-stream.ts";

const asn = "4242420001";
const other = "4242420002";

async function start(options: DemoServerOptions = {}): Promise<DemoServer> {
  const server = await demoServer({ watchEveryMs: 100, ...options });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A stream that has said hello. */
async function listen(url: string, { cookie, asn: username }: Participant): Promise<EventStream> {
  const stream = await openEvents(url, cookie);
  onTestFinished(() => stream[Symbol.asyncDispose]());
  expect(stream.status).toBe(200);
  expect(await stream.next("hello")).toEqual({ username });
  return stream;
}

async function submit({ asn: username, call }: Participant, node = "syd01"): Promise<string> {
  return (await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node })])).taskID;
}

test("a page hears of the deployments of its AS as they begin, wait and end, and of no other's", async () => {
  const { url } = await start({ waitMs: 1500 });
  const participant = await signUp(url, asn);
  const [here, there] = [await listen(url, participant), await listen(url, await signIn(url, asn))];
  const strange = await listen(url, await signUp(url, other));
  expect(Object.fromEntries(here.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  });
  expect(here.headers.has("content-encoding")).toBe(false);

  const taskID = await submit(participant);
  for (const stream of [here, there]) {
    expect(await stream.next("task")).toMatchObject({ taskID, node: "syd01", kind: "deploy" });
    expect(await stream.next("task")).toMatchObject({ taskID, status: "success" });
  }

  await setNodeMode(url, "per01", "offline");
  const waiting = await submit(participant, "per01");
  const told: Array<[string, string]> = [];
  for (let status = "waiting"; status === "waiting";) {
    const task = await here.next("task");
    expect(task.taskID).toBe(waiting);
    ({ status } = task);
    told.push([task.status, task.reason]);
  }
  // Each change once, however often the node was tried.
  expect(told).toEqual([
    ["waiting", ""],
    ["waiting", "per01 cannot be reached. Trying again…"],
    ["error", expect.stringMatching(/^per01 could not be reached in time/) as string],
  ]);
  expect(strange.left("task")).toBe(0);
  expect(strange.text()).not.toContain(taskID);
});

test("a page hears when the state of a peering of its AS changes", async () => {
  const { url } = await start();
  const participant = await signUp(url, asn);
  const stranger = await signUp(url, other);
  await ended(participant, await submit(participant));
  await ended(stranger, await submit(stranger, "per01"));
  const [here, there] = [await listen(url, participant), await listen(url, participant)];
  const strange = await listen(url, stranger);
  const heard = Promise.all([here.next("peering"), there.next("peering")]);
  // What is seen first is nobody's news, and when that is cannot be seen from here.
  for (let mode: "offline" | "normal" = "offline"; ; mode = mode === "normal" ? "offline" : "normal") {
    await setNodeMode(url, "syd01", mode);
    const told = await Promise.race([heard, pause(300)]);
    if (!told) continue;
    expect(told).toEqual([{ node: "syd01" }, { node: "syd01" }]);
    break;
  }
  expect(strange.left("peering")).toBe(0);
});

test("without a session there is no stream", async () => {
  const { url } = await start();
  for (const cookie of ["", `peerdeck=${"a".repeat(43)}`]) {
    await using stream = await openEvents(url, cookie);
    expect(stream.status).toBe(401);
    await stream.ended;
    expect(JSON.parse(stream.text())).toEqual({
      message: "You are not signed in, or your session has ended. Sign in and try again.",
    });
  }
});

test.each<[string, Record<string, string>]>([
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["a sister host", { "sec-fetch-site": "same-site" }],
  ["an old browser on another site", { origin: "https://evil.example.com" }],
])("a page of %s gets none", async (_, headers) => {
  const { url } = await start();
  const { cookie } = await signUp(url, asn);
  await using stream = await openEvents(url, cookie, headers);
  expect(stream.status).toBe(403);
});

test(`an AS has ${mostPerAs} streams at most, gets a place back for each that ends, and takes none of another's`, async () => {
  const { url } = await start();
  const participant = await signUp(url, asn);
  const streams: EventStream[] = [];
  for (let count = 0; count < mostPerAs; count += 1) streams.push(await listen(url, participant));
  await using refused = await openEvents(url, participant.cookie);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  await listen(url, await signUp(url, other));
  // HEAD opens nothing: nobody would ever read it, nor end it.
  for (let count = 0; count < 2 * mostPerAs; count += 1) {
    const { status } = await fetch(url + livePath, {
      method: "HEAD",
      headers: { cookie: participant.cookie },
    });
    expect(status).toBe(200);
  }
  await streams[0]?.[Symbol.asyncDispose]();
  await expect
    .poll(async () => {
      await using again = await openEvents(url, participant.cookie);
      return again.status;
    })
    .toBe(200);
});

test("logging out ends the streams of that session at once, and no other's", async () => {
  const { url } = await start();
  const participant = await signUp(url, asn);
  const [one, two] = [await listen(url, participant), await listen(url, participant)];
  const left = await signIn(url, asn);
  const staying = await listen(url, left);
  await participant.call(calls.logout, undefined);
  await Promise.all([one.ended, two.ended]);
  const taskID = await submit(left);
  expect(await staying.next("task")).toMatchObject({ taskID });
});

test("a new password ends all streams of the AS", async () => {
  const { url } = await start();
  const participant = await signUp(url, asn);
  const stream = await listen(url, participant);
  await caller(url)(calls.sendEmailVerification, { asn, password_reset: "Yes" });
  await caller(url)(calls.setPassword, { token: await mailedToken(url), password: "another good sentence" });
  await expect(stream.ended).resolves.toBeUndefined();
});

test("the server's end ends them, without waiting for them", async () => {
  const server = await demoServer();
  const participant = await signUp(server.url, asn);
  const stream = await listen(server.url, participant);
  await server[Symbol.asyncDispose]();
  await expect(stream.ended).resolves.toBeUndefined();
});

test("with two servers, each tells its own listeners of what the other does", async () => {
  await using database = await createTestDatabase();
  await using network = await sharedNetwork(database.url, { servers: 2 });
  const [one = "", two = ""] = network.urls;
  const participant = await signUp(one, asn);
  const there = { ...participant, call: caller(two, participant.cookie) };
  const [here, far] = [await listen(one, participant), await listen(two, there)];
  const taskID = await submit(participant);
  for (const stream of [here, far]) {
    let status = "waiting";
    while (status === "waiting") ({ status } = await stream.next("task"));
    expect(status).toBe("success");
  }
  expect(await ended(there, taskID)).toMatchObject({ status: "success" });
  await there.call(calls.logout, undefined);
  await Promise.all([here.ended, far.ended]);
});

test("when servers could not hear each other for a while, streams end, so that pages ask for what they missed", async () => {
  await using database = await createTestDatabase();
  await using network = await sharedNetwork(database.url);
  const [url = ""] = network.urls;
  const participant = await signUp(url, asn);
  const stream = await listen(url, participant);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
  await client.end();
  await expect(stream.ended).resolves.toBeUndefined();
  await listen(url, participant);
});
