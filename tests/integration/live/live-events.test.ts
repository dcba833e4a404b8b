/** Live events over HTTP: which stream receives which events, and what ends a stream. */
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { type PeerStatus, peerStatus } from "#contract/entities.ts";
import { livePath } from "#contract/live-events.ts";
import { maxStreamsPerAs } from "#server/features/live/streams.ts";
import { createTestDatabase, postgresTemplate, runSql } from "../../support/databases.ts";
import { type DemoServer, demoServer, type DemoServerOptions } from "../server/demo-server.ts";
import {
  caller,
  waitForTask,
  mailedToken,
  type Participant,
  setNodeMode,
  logIn,
  signUp,
  submitPeering,
} from "../server/participant.ts";
import { profileServer } from "../server/profile-server.ts";
import { type EventStream, openEvents } from "./event-stream.ts";

const asn = "4242420001";
const other = "4242420002";

async function start(options: DemoServerOptions = {}): Promise<DemoServer> {
  const server = await demoServer({ watchEveryMs: 100, ...options });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A server for the tests that change nothing on it but the state of their own AS. */
let shared: DemoServer;
beforeAll(async () => {
  shared = await demoServer({ watchEveryMs: 100 });
});
afterAll(() => shared[Symbol.asyncDispose]());

let lastAsn = 4_242_420_000;

/** Signs up an AS that the shared server does not know yet. */
function signUpNext(): Promise<Participant> {
  lastAsn += 1;
  return signUp(shared.url, String(lastAsn));
}

/** Opens a stream and waits for its first event. */
async function subscribe(url: string, { cookie, asn: username }: Participant): Promise<EventStream> {
  const stream = await openEvents(url, cookie);
  onTestFinished(() => stream[Symbol.asyncDispose]());
  expect(stream.status).toBe(200);
  expect(await stream.next("hello")).toEqual({ username });
  return stream;
}

test("a stream carries the deployments of its AS as they begin, wait and finish, and those of no other AS", async () => {
  const { url } = await start({ waitMs: 2_500 });
  const participant = await signUp(url, asn);
  const [here, there] = [await subscribe(url, participant), await subscribe(url, await logIn(url, asn))];
  const stranger = await subscribe(url, await signUp(url, other));
  expect(Object.fromEntries(here.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  });
  expect(here.headers.has("content-encoding")).toBe(false);

  const taskID = await submitPeering(participant, "syd01");
  for (const stream of [here, there]) {
    expect(await stream.next("task")).toMatchObject({ taskID, node: "syd01", kind: "deploy" });
    for (let status = "waiting"; status === "waiting";) {
      const task = await stream.next("task");
      expect(task.taskID).toBe(taskID);
      ({ status } = task);
      if (status !== "waiting") expect(task).toMatchObject({ status: "success", deadline: null });
    }
  }

  await setNodeMode(url, "per01", "offline");
  const waiting = await submitPeering(participant, "per01");
  const statuses: Array<[string, string, string | undefined]> = [];
  for (let status = "waiting"; status === "waiting";) {
    const task = await here.next("task");
    expect(task.taskID).toBe(waiting);
    ({ status } = task);
    statuses.push([task.status, task.reason, task.steps.at(-1)]);
    expect(task.deadline).toEqual(status === "waiting" ? expect.any(Number) : null);
  }
  // Two changes in quick succession may be read as one: the pause after the third attempt is long enough.
  expect(statuses).toContainEqual([
    "waiting",
    "per01.demo.dn42 cannot be reached. Trying again…",
    "Called per01.demo.dn42 to deploy the peering, attempt 3.",
  ]);
  expect(statuses.at(-1)).toEqual([
    "error",
    expect.stringMatching(/^per01\.demo\.dn42 could not be reached in time/),
    expect.stringMatching(/^Called per01\.demo\.dn42 to deploy the peering, attempt \d\.$/),
  ]);
  expect(stranger.left("task")).toBe(0);
  expect(stranger.text()).not.toContain(taskID);
});

test("a stream carries the new status of a peering of its AS", async () => {
  const { url } = shared;
  const [participant, stranger] = [await signUpNext(), await signUpNext()];
  await waitForTask(participant, await submitPeering(participant, "syd01"));
  await waitForTask(stranger, await submitPeering(stranger, "per01"));
  const [here, there] = [await subscribe(url, participant), await subscribe(url, participant)];
  const strangeStream = await subscribe(url, stranger);
  const events = Promise.all([here.next("peering"), there.next("peering")]);
  // The first status is not a change, and the test cannot see when the server has read it.
  for (let mode: "offline" | "normal" = "offline"; ; mode = mode === "normal" ? "offline" : "normal") {
    await setNodeMode(url, "syd01", mode);
    const received = await Promise.race([events, pause(300)]);
    if (!received) continue;
    const [first, second] = received;
    expect(first).toEqual(second);
    expect(first.node).toBe("syd01");
    // The shape of getPeerStatus for this node, complete and strict.
    expect(v.parse(v.strictObject(peerStatus.entries), first.status)).toEqual(first.status);
    expect(first.status).toMatchObject({ node: "syd01", known: mode === "normal", deployment: null });
    break;
  }
  expect(strangeStream.left("peering")).toBe(0);
  await setNodeMode(url, "syd01", "normal");
});

test("a stream carries the status of a peering when its deployment begins, succeeds, and when it is deleted", async () => {
  const { url } = shared;
  const participant = await signUpNext();
  const stream = await subscribe(url, participant);
  const taskID = await submitPeering(participant, "syd01");
  expect((await stream.next("peering")).status).toMatchObject({ node: "syd01" });
  await waitForTask(participant, taskID);
  for (let status: PeerStatus | undefined; status?.bgp_status !== "OK" || status.deployment !== null;) {
    ({ status } = await stream.next("peering"));
  }

  const deletion = await participant.call(calls.deletePeer, { username: participant.asn, node: "syd01" });
  await waitForTask(participant, deletion.taskID);
  for (let event = await stream.next("peering"); event.status; event = await stream.next("peering"));
  expect(await participant.call(calls.getPeerStatus, { username: participant.asn })).toEqual([]);
});

test("right after its deployment, the status of a peering is not an earlier read of the node", async () => {
  // Reads are shared for a second.
  const { url } = await start({ watchEveryMs: 5_000 });
  const participant = await signUp(url, asn);
  const status = async () => (await participant.call(calls.getPeerStatus, { username: asn }))[0];
  const taskID = await submitPeering(participant, "syd01");
  while ((await participant.call(calls.getTaskStatus, { username: asn, taskID })).status === "waiting") {
    await status();
  }
  expect(await status()).toMatchObject({ node: "syd01", deployment: null });
  expect((await status())?.bgp_status).not.toBe("Not found");
});

test(`an AS has at most ${maxStreamsPerAs} streams, can open another when one ends, and does not use up those of another AS`, async () => {
  const { url } = shared;
  const participant = await signUpNext();
  const streams: EventStream[] = [];
  for (let count = 0; count < maxStreamsPerAs; count += 1) streams.push(await subscribe(url, participant));
  await using refused = await openEvents(url, participant.cookie);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  await subscribe(url, await signUpNext());
  // HEAD opens no stream, because nothing would read or end it.
  for (let count = 0; count < 2 * maxStreamsPerAs; count += 1) {
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

test("logging out ends the streams of that login session at once and no others, and a new password ends all", async () => {
  const { url } = shared;
  const participant = await signUpNext();
  const [one, two] = [await subscribe(url, participant), await subscribe(url, participant)];
  const left = await logIn(url, participant.asn);
  const staying = await subscribe(url, left);
  await participant.call(calls.logout, undefined);
  await Promise.all([one.ended, two.ended]);
  const taskID = await submitPeering(left, "syd01");
  expect(await staying.next("task")).toMatchObject({ taskID });
  await caller(url)(calls.sendEmailVerification, { asn: left.asn, password_reset: "Yes" });
  await caller(url)(calls.setPassword, { token: await mailedToken(url), password: "another good sentence" });
  await expect(staying.ended).resolves.toBeUndefined();
});

test("closing the server ends its streams without waiting for them", async () => {
  const server = await demoServer();
  const participant = await signUp(server.url, asn);
  const stream = await subscribe(server.url, participant);
  await server[Symbol.asyncDispose]();
  await expect(stream.ended).resolves.toBeUndefined();
});

test("each of two servers sends its subscribers the events of the other, and ends streams that may have missed some", async () => {
  await using database = await createTestDatabase(postgresTemplate);
  await using servers = await profileServer({}, { at: { kind: "postgres", url: database.url }, servers: 2 });
  const [one = "", two = ""] = servers.urls;
  const participant = await signUp(one, asn);
  const there = { ...participant, call: caller(two, participant.cookie) };
  const [here, far] = [await subscribe(one, participant), await subscribe(two, there)];
  const taskID = await submitPeering(participant, "syd01");
  for (const stream of [here, far]) {
    let status = "waiting";
    while (status === "waiting") ({ status } = await stream.next("task"));
    expect(status).toBe("success");
  }
  expect(await waitForTask(there, taskID)).toMatchObject({ status: "success" });
  // A server reads both after the end, as one does that is busy.
  for (const name of ["task", "taskChanged"])
    await runSql(
      database.url,
      `NOTIFY peerdeck, '${JSON.stringify({ name, payload: { asn, taskID, node: "syd01" } })}'`,
    );
  await there.call(calls.logout, undefined);
  await Promise.all([here.ended, far.ended]);
  expect([here.left("task"), far.left("task")]).toEqual([0, 0]);

  // When the notifications between servers were interrupted, streams end, so that clients refetch.
  const again = await subscribe(one, await logIn(one, asn));
  await runSql(
    database.url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'",
  );
  await expect(again.ended).resolves.toBeUndefined();
  await subscribe(one, await logIn(one, asn));
});
