/** Delivery of push messages when the push service rejects them, a server stops, or two servers deliver. */
import { expect, onTestFinished, test } from "vitest";
import type { PushMessage } from "#contract/push.ts";
import { enqueueMessage } from "#server/push/messages.ts";
import { createPushSender } from "#server/push/push-request.ts";
import { createPushOutbox } from "#server/push/push-outbox.ts";
import { findSubscription, saveSubscription } from "#server/push/subscriptions.ts";
import { createLog } from "#server/log.ts";
import { describeWithDatabase, type TestDatabase } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { createBrowser } from "./browser.ts";
import { startPushService } from "./push-service.ts";
import { openSubscribers } from "./subscribers.ts";

const asn = "4242420001";
const hourMs = 3_600_000;

function deploymentMessage(taskID: string): PushMessage {
  return { type: "deployment", username: asn, taskID, node: "syd01", kind: "deploy", status: "success" };
}

function alertMessage(change: "down" | "up"): PushMessage {
  return { type: "session", username: asn, node: "syd01", change, at: 1 };
}

/** Opens a database and a push service, and creates outboxes whose clock the test controls. */
async function openAt(at: TestDatabase) {
  const { subscribe, ...subscribers } = await openSubscribers(at);
  const { database, db, time, clock, keys } = subscribers;
  const service = await startPushService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });

  function createOutbox(pushHosts = [service.host]) {
    const send = createPushSender({ keys, subject: "mailto:noc@example.org", agent: service.agent });
    const created = createPushOutbox({ ...database, clock, retentionClock: clock, log, pushHosts, send });
    onTestFinished(() => created[Symbol.asyncDispose]());
    return created;
  }

  return {
    ...subscribers,
    service,
    lines,
    subscribe: async ({ alerts = false } = {}) => {
      const browser = createBrowser(`https://${service.host}/canary`);
      return { browser, ...(await subscribe(asn, alerts, browser.subscription)) };
    },
    createOutbox,
    enqueue: (message: PushMessage) =>
      db.transaction().execute((tx) => enqueueMessage(tx, message, time.now)),
    waiting: () => db.selectFrom("push_messages").selectAll().orderBy("created_at").execute(),
  };
}

describeWithDatabase("push messages", { postgres: "share" }, (openTestDatabase) => {
  const open = async () => openAt(await openTestDatabase());

  test("are retried with growing pauses, five attempts in all", async () => {
    const { service, subscribe, createOutbox, enqueue, waiting, time } = await open();
    await subscribe();
    service.respond({ status: 503 });
    await enqueue(deploymentMessage("one"));
    const outbox = createOutbox();
    const pauses: number[] = [];
    for (let attempt = 1; attempt < 5; attempt += 1) {
      // Signals before the next attempt is due start no attempt.
      await waitFor(async () => {
        outbox.signal();
        expect(await waiting()).toMatchObject([{ attempts: attempt }]);
      });
      const [row] = await waiting();
      pauses.push((row?.next_attempt_at ?? 0) - time.now);
      time.now = row?.next_attempt_at ?? 0;
    }
    expect(pauses).toEqual([5_000, 30_000, 180_000, 1_080_000]);
    await waitFor(async () => {
      outbox.signal();
      expect(await waiting()).toEqual([]);
    });
    expect(service.received).toHaveLength(5);
    const ttls = service.received.map(({ headers }) => Number(headers["ttl"]));
    expect(ttls).toEqual([3600, 3595, 3565, 3385, 2305]);
  });

  test("wait for the time in Retry-After, and are given up when it is after their expiry", async () => {
    const { service, subscribe, createOutbox, enqueue, waiting, time } = await open();
    await subscribe();
    service.respond({ status: 429, headers: { "retry-after": "600" } });
    await enqueue(deploymentMessage("one"));
    const outbox = createOutbox();
    outbox.signal();
    await waitFor(async () =>
      expect(await waiting()).toMatchObject([{ next_attempt_at: time.now + 600_000 }]),
    );
    time.now += 600_000;
    service.respond({ status: 429, headers: { "retry-after": "3000" } });
    await waitFor(async () => {
      outbox.signal();
      expect(await waiting()).toEqual([]);
    });
  });

  test("are retried when the push service is unreachable", async () => {
    const { service, subscribe, createOutbox, enqueue, waiting, lines } = await open();
    await subscribe();
    await service[Symbol.asyncDispose]();
    await enqueue(deploymentMessage("one"));
    createOutbox().signal();
    await waitFor(async () => expect(await waiting()).toMatchObject([{ attempts: 1 }]));
    // The log comes after the commit.
    await waitFor(async () => expect(lines.join("")).toContain('"status":"ECONNREFUSED"'));
    expect(lines.join("")).not.toContain("canary");
  });

  test("keep a subscription whose browser has registered another endpoint meanwhile", async () => {
    const { db, service, subscribe, createOutbox, enqueue, waiting, time } = await open();
    const { hash } = await subscribe();
    service.respond("hang");
    await enqueue(deploymentMessage("one"));
    const outbox = createOutbox();
    outbox.signal();
    await service.receives(1);
    const renewed = createBrowser(`https://${service.host}/renewed`);
    await saveSubscription(db, hash, { ...renewed.subscription, alerts: false }, time.now);
    service.respondToHanging({ status: 410 });
    await waitFor(async () => expect(await waiting()).toEqual([]));
    await outbox[Symbol.asyncDispose]();
    const { endpoint } = renewed.subscription;
    expect(await findSubscription(db, hash)).toEqual({ endpoint, alerts: false });
  });

  test.each([
    [404, {}, false],
    [410, {}, false],
    [301, { location: "https://169.254.169.254/latest/meta-data/" }, true],
    [307, { location: "/elsewhere" }, true],
    [403, {}, true],
  ])(
    "are dropped after %d with %j; no redirect is followed, and the subscription stays: %j",
    async (status, headers, stays) => {
      const { db, service, subscribe, createOutbox, enqueue, waiting } = await open();
      const { hash } = await subscribe();
      service.respond({ status, headers });
      for (const name of ["one", "two"]) await enqueue(deploymentMessage(name));
      createOutbox().signal();
      await waitFor(async () => expect(await waiting()).toEqual([]));
      expect(new Set(service.received.map(({ path }) => path))).toEqual(new Set(["/canary"]));
      await waitFor(async () => expect((await findSubscription(db, hash)) !== null).toBe(stays));
    },
  );

  test("are not sent to a host that is no longer allowed", async () => {
    const { db, service, subscribe, createOutbox, enqueue } = await open();
    const { hash } = await subscribe();
    await enqueue(deploymentMessage("one"));
    createOutbox([]).signal();
    await waitFor(async () => expect(await findSubscription(db, hash)).toBeNull());
    expect(service.received).toEqual([]);
  });

  test("are deleted after an hour", async () => {
    const { service, subscribe, createOutbox, enqueue, waiting, time } = await open();
    await subscribe();
    await enqueue(deploymentMessage("one"));
    time.now += hourMs;
    createOutbox().signal();
    await waitFor(async () => expect(await waiting()).toEqual([]));
    expect(service.received).toEqual([]);
  });

  test("are neither written nor sent for an expired login session", async () => {
    const { db, service, subscribe, createOutbox, enqueue, waiting, time } = await open();
    await subscribe();
    await enqueue(deploymentMessage("one"));
    await db.updateTable("login_sessions").set({ expires_at: time.now }).execute();
    await enqueue(deploymentMessage("two"));
    expect(await waiting()).toHaveLength(1);
    createOutbox().signal();
    await waitFor(async () => expect(await waiting()).toEqual([]));
    expect(service.received).toEqual([]);
  });

  test("are deleted with their login session", async () => {
    const { sessions, subscribe, enqueue, waiting } = await open();
    const { token } = await subscribe();
    await enqueue(deploymentMessage("one"));
    await sessions.end(token);
    expect(await waiting()).toEqual([]);
  });

  test("about BGP sessions are written only for browsers with alerts, and a newer one replaces an older one", async () => {
    const { subscribe, enqueue, waiting } = await open();
    await subscribe();
    await enqueue(alertMessage("down"));
    expect(await waiting()).toEqual([]);
    await subscribe({ alerts: true });
    await enqueue(alertMessage("down"));
    await enqueue(deploymentMessage("one"));
    await enqueue(alertMessage("up"));
    const payloads = (await waiting()).map(({ payload }) => JSON.parse(payload) as PushMessage);
    expect(payloads).toHaveLength(2);
    expect(payloads).toEqual(expect.arrayContaining([alertMessage("up"), deploymentMessage("one")]));
  });
});

describeWithDatabase("push messages of two servers", { postgres: "always" }, (openTestDatabase) => {
  const open = async () => openAt(await openTestDatabase());

  test("do not wait for another server whose deliveries all hang", async () => {
    const { service, subscribe, createOutbox, enqueue, waiting, time } = await open();
    const { browser } = await subscribe();
    service.respond("hang");
    const names = Array.from({ length: 9 }, (_, index) => `task ${index}`);
    for (const name of names.slice(0, 8)) await enqueue(deploymentMessage(name));
    const [one, two] = [createOutbox(), createOutbox()];
    one.signal();
    await service.receives(8);
    time.now += 1;
    await enqueue(deploymentMessage("task 8"));
    two.signal();
    const taskIDs = (await service.receives(9)).map(
      ({ body }) => (JSON.parse(browser.decrypt(body)) as { taskID: string }).taskID,
    );
    expect(taskIDs.toSorted()).toEqual(names);
    expect((await waiting()).map(({ attempts }) => attempts)).toEqual(names.map(() => 0));
    service.respondToHanging({ status: 201 });
  });
});
