/** Push subscriptions: one per login session, for as long as it lasts, at known push services only. */
import { createECDH } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { openPushKeys } from "#server/push/push-keys.ts";
import { maxPerAs } from "#server/push/subscriptions.ts";
import { testSealer } from "../../support/test-sealer.ts";
import {
  createTestDatabase,
  describeWithDatabase,
  openAsServer,
  postgresTemplate,
} from "../../support/databases.ts";
import { type DemoServer, demoServer } from "../server/demo-server.ts";
import { caller, mailedToken, type Participant, logIn, signUp } from "../server/participant.ts";
import { type BrowserSubscription, browserSubscription } from "./browser.ts";

const password = "a sentence for the tests";

async function settings({ asn: username, call }: Participant) {
  return (await call(calls.getPushSettings, { username })).subscription;
}

function save(
  { asn: username, call }: Participant,
  subscription: BrowserSubscription,
  { alerts = false } = {},
) {
  return call(calls.savePushSubscription, { username, ...subscription, alerts });
}

describeWithDatabase("push subscriptions", { postgres: "share" }, (openTestDatabase) => {
  let running: DemoServer;
  beforeAll(async () => {
    running = await demoServer({ at: await openTestDatabase() });
  });
  afterAll(() => running[Symbol.asyncDispose]());

  let lastAsn = 4_242_420_000;

  /** Signs up an AS that the server does not know yet. */
  function signUpNext(): Promise<Participant> {
    lastAsn += 1;
    return signUp(running.url, String(lastAsn));
  }

  test("each login session of an AS has its own subscription", async () => {
    const phone = await signUpNext();
    const { asn } = phone;
    const desk = await logIn(running.url, asn);
    expect(await settings(phone)).toBeNull();

    const [first, second] = [browserSubscription(), browserSubscription()];
    await save(phone, first);
    expect(await settings(phone)).toEqual({ endpoint: first.endpoint, alerts: false });
    expect(await settings(desk)).toBeNull();
    await save(phone, second, { alerts: true });
    await save(desk, first);
    expect(await settings(phone)).toEqual({ endpoint: second.endpoint, alerts: true });
    expect(await settings(desk)).toEqual({ endpoint: first.endpoint, alerts: false });

    await phone.call(calls.deletePushSubscription, { username: asn });
    await phone.call(calls.deletePushSubscription, { username: asn });
    expect(await settings(phone)).toBeNull();
    expect(await settings(desk)).not.toBeNull();
  });

  test("an endpoint belongs to the login session that registered it last, even of another AS", async () => {
    const [before, after] = [await signUpNext(), await signUpNext()];
    const shared = browserSubscription();
    await save(before, shared);
    await save(after, shared);
    expect([await settings(before), await settings(after)]).toEqual([
      null,
      { endpoint: shared.endpoint, alerts: false },
    ]);
    // In any order of parallel requests the endpoint has one owner, and no request fails.
    await Promise.all(Array.from({ length: 10 }, (_, index) => save(index % 2 ? before : after, shared)));
    const owners = [await settings(before), await settings(after)].filter((found) => found !== null);
    expect(owners).toHaveLength(1);
  });

  test("a subscription ends with its login session: by logout, by another login in the same browser, by a new password", async () => {
    const endpoints = [browserSubscription(), browserSubscription(), browserSubscription()] as const;
    const [watcher, first] = [await signUpNext(), await signUpNext()];
    const { asn } = first;
    await save(first, endpoints[0]);
    await first.call(calls.logout, undefined);
    const second = await logIn(running.url, asn);
    await save(second, endpoints[1]);
    await caller(running.url, second.cookie)(calls.login, { username: asn, password });
    const third = await logIn(running.url, asn);
    await save(third, endpoints[2]);
    expect(await storedEndpoints()).toEqual([endpoints[2].endpoint]);

    await save(watcher, endpoints[0]);
    await caller(running.url)(calls.sendEmailVerification, { asn, password_reset: "Yes" });
    await caller(running.url)(calls.setPassword, { token: await mailedToken(running.url), password });
    expect(await storedEndpoints()).toEqual([endpoints[0].endpoint]);

    async function storedEndpoints(): Promise<string[]> {
      await using database = await openAsServer(running.at);
      const stored = database.db.selectFrom("push_subscriptions").select("endpoint");
      const rows = await stored.where("asn", "in", [watcher.asn, asn]).execute();
      return rows.map(({ endpoint }) => endpoint);
    }
  });

  test("an ended login session takes no endpoint from another", async () => {
    const shared = browserSubscription();
    const living = await signUpNext();
    await save(living, shared, { alerts: true });
    const ended = await signUpNext();
    expect(await settings(ended)).toBeNull();
    // As if another server had ended it and the event had not arrived here yet.
    await using database = await openAsServer(running.at);
    await database.db.deleteFrom("login_sessions").where("asn", "=", ended.asn).execute();
    await expect(save(ended, shared)).rejects.toMatchObject({ status: 401 });
    expect(await settings(living)).toEqual({ endpoint: shared.endpoint, alerts: true });
  });

  test(`an AS has at most ${maxPerAs} subscriptions: one more replaces the oldest`, async () => {
    const oldest = await signUpNext();
    const { asn } = oldest;
    await save(oldest, browserSubscription());
    const younger: Participant[] = [];
    for (let count = 1; count < maxPerAs; count += 1) {
      const next = await logIn(running.url, asn);
      await save(next, browserSubscription());
      younger.push(next);
    }
    expect(await settings(oldest)).not.toBeNull();
    await save(await logIn(running.url, asn), browserSubscription());
    expect(await settings(oldest)).toBeNull();
    for (const each of younger) expect(await settings(each)).not.toBeNull();
  });

  test("an invalid subscription is rejected, and the earlier one stays", async () => {
    const participant = await signUpNext();
    const good = browserSubscription();
    await save(participant, good, { alerts: true });
    const invalid: ReadonlyArray<readonly [string, Partial<BrowserSubscription>]> = [
      // The address of this server itself.
      ["endpoint", { endpoint: "https://127.0.0.1:4242/api/" }],
      ["endpoint", { endpoint: `https://fcm.googleapis.com/${"a".repeat(1000)}` }],
      ["p256dh", { p256dh: Buffer.alloc(65, 4).toString("base64url") }],
      ["auth", { auth: Buffer.alloc(15).toString("base64url") }],
    ];
    for (const [field, changes] of invalid) {
      await expect(save(participant, { ...browserSubscription(), ...changes })).rejects.toMatchObject({
        status: 422,
        body: { field },
      });
    }
    expect(await settings(participant)).toEqual({ endpoint: good.endpoint, alerts: true });
  });

  test("a subscription at a push service that the profile no longer allows counts as none", async () => {
    const participant = await signUpNext();
    await save(participant, browserSubscription(), { alerts: true });
    await using database = await openAsServer(running.at);
    await database.db
      .updateTable("push_subscriptions")
      .set({ endpoint: "https://push.former.example/1" })
      .where("asn", "=", participant.asn)
      .execute();
    expect(await settings(participant)).toBeNull();
  });

  test("the server's key is a point on P-256 and never changes", async () => {
    const at = await openTestDatabase();
    await using one = await openAsServer(at);
    await using two = await openAsServer(at);
    const made = await Promise.all([one, two, one, two].map(({ db }) => openPushKeys(db, testSealer)));
    expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(1);
    const [keys] = made;
    const ecdh = createECDH("prime256v1");
    ecdh.setPrivateKey(keys?.privateKey ?? "", "base64url");
    expect(ecdh.getPublicKey("base64url")).toBe(keys?.publicKey);
  });
});

test("a logout during a save waits for it and deletes what it saved", async () => {
  await using at = await createTestDatabase(postgresTemplate);
  await using running = await demoServer({ at: { kind: "postgres", url: at.url } });
  await using database = await openAsServer(running.at);
  const { db } = database;
  const wanted = browserSubscription();
  const holding = await signUp(running.url, "4242420002");
  await save(holding, browserSubscription());
  const leaving = await signUp(running.url, "4242420001");

  // The save waits for another transaction that claims its endpoint. That transaction is never committed.
  const blocker = await db.startTransaction().execute();
  await blocker
    .updateTable("push_subscriptions")
    .set({ endpoint: wanted.endpoint })
    .where("asn", "=", holding.asn)
    .execute();
  const saved = save(leaving, wanted);
  await expect.poll(waiting).toBe(1);
  let left = false;
  const logout = leaving.call(calls.logout, undefined).finally(() => {
    left = true;
  });
  await expect.poll(async () => left || (await waiting()) === 2).toBe(true);
  await blocker.rollback().execute();

  expect(await saved).toEqual({});
  await logout;
  await expect(settings(leaving)).rejects.toMatchObject({ status: 401 });
  const rows = await db.selectFrom("push_subscriptions").select("asn").execute();
  expect(rows).toEqual([{ asn: holding.asn }]);

  /** Counts the statements that wait for a row. */
  async function waiting(): Promise<number> {
    const { rows: found } = await sql<{ pid: number }>`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
      db,
    );
    return found.length;
  }
});
