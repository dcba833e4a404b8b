/** What becomes of a message when the push service does not take it, a server dies, or two are at it. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { PushMessage } from "../../../src/contract/push.ts";
import { type Database, openDatabase } from "../../../src/server/db/open.ts";
import { createSessions } from "../../../src/server/features/accounts/sessions.ts";
import { hashSecret } from "../../../src/server/features/accounts/tokens.ts";
import { enqueueMessage } from "../../../src/server/features/push/messages.ts";
import { openPushKeys } from "../../../src/server/features/push/push-keys.ts";
import { createPushRequest } from "../../../src/server/features/push/push-request.ts";
import { createPushSender, pauseAfter } from "../../../src/server/features/push/sender.ts";
import { findSubscription, saveSubscription } from "../../../src/server/features/push/subscriptions.ts";
import { createLog } from "../../../src/server/http/log.ts";
import { describeEachDatabase, type TestDatabase } from "../../setup/databases.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { startPushService } from "./push-service.ts";

const asn = "4242420001";
const hourMs = 3_600_000;

function ending(taskID: string): PushMessage {
  return { type: "deployment", username: asn, taskID, node: "syd01", kind: "deploy", status: "success" };
}

function alert(change: "down" | "up"): PushMessage {
  return { type: "session", username: asn, node: "syd01", change, at: 1 };
}

/** A database, a push service, and senders on them whose clock the test turns. */
async function sceneAt(at: TestDatabase) {
  const database: Database = await openDatabase({
    dataDir: at.kind === "sqlite" ? at.dataDir : "",
    url: at.kind === "postgres" ? at.url : null,
    onError: () => undefined,
  });
  onTestFinished(() => database[Symbol.asyncDispose]());
  const service = await startPushService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const { db, events } = database;
  const time = { now: Date.UTC(2026, 0, 20) };
  const clock = () => time.now;
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  const sessions = createSessions({ db, events, clock });
  const keys = await openPushKeys(db);

  async function subscribe({ alerts = false } = {}): Promise<{
    browser: Browser;
    hash: string;
    token: string;
  }> {
    const browser = createBrowser(`https://${service.host}/canary`);
    const token = await sessions.start(asn);
    const hash = hashSecret(token) ?? "";
    await saveSubscription(db, hash, { ...browser.subscription, alerts }, time.now);
    return { browser, hash, token };
  }

  function sender(pushHosts = [service.host]) {
    const send = createPushRequest({ keys, subject: "mailto:noc@example.org", agent: service.agent });
    const created = createPushSender({ ...database, clock, log, pushHosts, send });
    onTestFinished(() => created[Symbol.asyncDispose]());
    return created;
  }

  return {
    db,
    database,
    service,
    sessions,
    time,
    lines,
    subscribe,
    sender,
    enqueue: (message: PushMessage) =>
      db.transaction().execute((tx) => enqueueMessage(tx, message, time.now)),
    waiting: () => db.selectFrom("push_messages").selectAll().orderBy("created_at").execute(),
  };
}

describeEachDatabase("push messages", (openTestDatabase) => {
  const scene = async () => sceneAt(await openTestDatabase());

  test.each([429, 503])("are tried again after %d, with growing pauses, five times", async (status) => {
    const { service, subscribe, sender, enqueue, waiting, time } = await scene();
    await subscribe();
    service.answer({ status });
    await enqueue(ending("one"));
    const sending = sender();
    const pauses: number[] = [];
    for (let attempt = 1; attempt < 5; attempt += 1) {
      // However often it is woken, it is not tried before its time.
      await vi.waitFor(async () => {
        sending.wake();
        expect(await waiting()).toMatchObject([{ attempts: attempt }]);
      });
      const [row] = await waiting();
      pauses.push((row?.next_attempt_at ?? 0) - time.now);
      time.now = row?.next_attempt_at ?? 0;
    }
    expect(pauses).toEqual([1, 2, 3, 4].map(pauseAfter));
    expect(pauses).toEqual([5_000, 30_000, 180_000, 1_080_000]);
    await vi.waitFor(async () => {
      sending.wake();
      expect(await waiting()).toEqual([]);
    });
    expect(service.received).toHaveLength(5);
    const ttls = service.received.map(({ headers }) => Number(headers["ttl"]));
    expect(ttls).toEqual([3600, 3595, 3565, 3385, 2305]);
  });

  test("wait as long as the push service asks for, and are given up when that is past their time", async () => {
    const { service, subscribe, sender, enqueue, waiting, time } = await scene();
    await subscribe();
    service.answer({ status: 429, headers: { "retry-after": "600" } });
    await enqueue(ending("one"));
    const sending = sender();
    sending.wake();
    await vi.waitFor(async () =>
      expect(await waiting()).toMatchObject([{ next_attempt_at: time.now + 600_000 }]),
    );
    time.now += 600_000;
    service.answer({ status: 429, headers: { "retry-after": "3000" } });
    await vi.waitFor(async () => {
      sending.wake();
      expect(await waiting()).toEqual([]);
    });
  });

  test("are tried again where nobody answers", async () => {
    const { service, subscribe, sender, enqueue, waiting, lines } = await scene();
    await subscribe();
    await service[Symbol.asyncDispose]();
    await enqueue(ending("one"));
    sender().wake();
    await vi.waitFor(async () => expect(await waiting()).toMatchObject([{ attempts: 1 }]));
    expect(lines.join("")).toContain('"status":"ECONNREFUSED"');
    expect(lines.join("")).not.toContain("canary");
  });

  test.each([404, 410])("end a subscription that the push service answers %d for", async (status) => {
    const { db, service, subscribe, sender, enqueue, waiting } = await scene();
    const { hash } = await subscribe();
    service.answer({ status });
    await enqueue(ending("one"));
    await enqueue(ending("two"));
    sender().wake();
    await vi.waitFor(async () => expect(await findSubscription(db, hash)).toBeNull());
    expect(await waiting()).toEqual([]);
  });

  test("end no subscription whose browser has given another endpoint meanwhile", async () => {
    const { db, service, subscribe, sender, enqueue, waiting, time } = await scene();
    const { hash } = await subscribe();
    service.answer("hang");
    await enqueue(ending("one"));
    const sending = sender();
    sending.wake();
    await service.receives(1);
    const renewed = createBrowser(`https://${service.host}/renewed`);
    await saveSubscription(db, hash, { ...renewed.subscription, alerts: false }, time.now);
    service.answerHanging({ status: 410 });
    await vi.waitFor(async () => expect(await waiting()).toEqual([]));
    await sending[Symbol.asyncDispose]();
    const { endpoint } = renewed.subscription;
    expect(await findSubscription(db, hash)).toEqual({ endpoint, alerts: false });
  });

  test.each([
    [301, { location: "https://169.254.169.254/latest/meta-data/" }],
    [307, { location: "/elsewhere" }],
    [403, {}],
  ])("are dropped after %d, no redirect is followed, and the subscription stays", async (status, headers) => {
    const { db, service, subscribe, sender, enqueue, waiting } = await scene();
    const { hash } = await subscribe();
    service.answer({ status, headers });
    await enqueue(ending("one"));
    sender().wake();
    await vi.waitFor(async () => expect(await waiting()).toEqual([]));
    expect(service.received.map(({ path }) => path)).toEqual(["/canary"]);
    expect(await findSubscription(db, hash)).not.toBeNull();
  });

  test("go to no host that is not allowed any more", async () => {
    const { db, service, subscribe, sender, enqueue } = await scene();
    const { hash } = await subscribe();
    await enqueue(ending("one"));
    sender([]).wake();
    await vi.waitFor(async () => expect(await findSubscription(db, hash)).toBeNull());
    expect(service.received).toEqual([]);
  });

  test("outlive the server that wrote them, and two servers send each once", async () => {
    const { service, subscribe, sender, enqueue, waiting } = await scene();
    const { browser } = await subscribe();
    const names = Array.from({ length: 30 }, (_, index) => `task ${index}`);
    for (const name of names) await enqueue(ending(name));
    const [one, two] = [sender(), sender()];
    for (const each of [one, two, one, two]) each.wake();
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 20_000 });
    const told = service.received.map(
      ({ body }) => (JSON.parse(browser.decrypt(body)) as { taskID: string }).taskID,
    );
    expect(told.toSorted()).toEqual(names.toSorted());
  });

  test("wait for no other server that has all its places taken", async () => {
    const { service, subscribe, sender, enqueue, waiting, time } = await scene();
    const { browser } = await subscribe();
    service.answer("hang");
    const names = Array.from({ length: 9 }, (_, index) => `task ${index}`);
    for (const name of names.slice(0, 8)) await enqueue(ending(name));
    const [one, two] = [sender(), sender()];
    one.wake();
    await service.receives(8);
    time.now += 1;
    await enqueue(ending("task 8"));
    two.wake();
    const told = (await service.receives(9)).map(
      ({ body }) => (JSON.parse(browser.decrypt(body)) as { taskID: string }).taskID,
    );
    expect(told.toSorted()).toEqual(names);
    expect((await waiting()).map(({ attempts }) => attempts)).toEqual(names.map(() => 0));
    service.answerHanging({ status: 201 });
  });

  test("that a stopping server had no answer for are sent by the next", async () => {
    const { service, subscribe, sender, enqueue, waiting } = await scene();
    await subscribe();
    service.answer("hang");
    await enqueue(ending("one"));
    const stopping = sender();
    stopping.wake();
    await service.receives(1);
    await stopping[Symbol.asyncDispose]();
    expect(await waiting()).toMatchObject([{ attempts: 0 }]);
    service.answer({ status: 201 });
    sender().wake();
    await vi.waitFor(async () => expect(await waiting()).toEqual([]));
    expect(service.received).toHaveLength(2);
  });

  test("that nobody took for an hour are forgotten", async () => {
    const { service, subscribe, sender, enqueue, waiting, time } = await scene();
    await subscribe();
    await enqueue(ending("one"));
    time.now += hourMs;
    sender().wake();
    await vi.waitFor(async () => expect(await waiting()).toEqual([]));
    expect(service.received).toEqual([]);
  });

  test("are not written for a session that has expired, nor sent once it has", async () => {
    const { db, service, subscribe, sender, enqueue, waiting, time } = await scene();
    await subscribe();
    await enqueue(ending("one"));
    await db.updateTable("sessions").set({ expires_at: time.now }).execute();
    await enqueue(ending("two"));
    expect(await waiting()).toHaveLength(1);
    sender().wake();
    await vi.waitFor(async () => expect(await waiting()).toEqual([]));
    expect(service.received).toEqual([]);
  });

  test("of an ended session are never sent", async () => {
    const { sessions, subscribe, enqueue, waiting } = await scene();
    const { token } = await subscribe();
    await enqueue(ending("one"));
    await sessions.end(token);
    expect(await waiting()).toEqual([]);
  });

  test("about sessions are for those alone who want them, and the newest takes the place of the older", async () => {
    const { subscribe, enqueue, waiting } = await scene();
    await subscribe();
    await enqueue(alert("down"));
    expect(await waiting()).toEqual([]);
    await subscribe({ alerts: true });
    await enqueue(alert("down"));
    await enqueue(ending("one"));
    await enqueue(alert("up"));
    const payloads = (await waiting()).map(({ payload }) => JSON.parse(payload) as PushMessage);
    expect(payloads).toHaveLength(2);
    expect(payloads).toEqual(expect.arrayContaining([alert("up"), ending("one")]));
  });
});
