/** Login sessions that subscribe to push messages, in a database with a clock that the test controls. */
import { onTestFinished } from "vitest";
import { createLoginSessions } from "#server/api/login-sessions.ts";
import { hashSecret } from "#server/api/secret-tokens.ts";
import { openPushKeys } from "#server/push/push-keys.ts";
import { saveSubscription } from "#server/push/subscriptions.ts";
import { openAsServer, type TestDatabase } from "../../support/databases.ts";
import { testSealer } from "../../support/test-sealer.ts";
import { browserSubscription } from "./browser.ts";

export async function openSubscribers(at: TestDatabase) {
  const database = await openAsServer(at);
  onTestFinished(() => database[Symbol.asyncDispose]());
  const { db, events } = database;
  const time = { now: Date.UTC(2026, 0, 20) };
  const clock = () => time.now;
  const sessions = createLoginSessions({ db, events, clock, retentionClock: clock });
  const keys = await openPushKeys(db, testSealer);

  async function subscribe(asn: string, alerts: boolean, subscription = browserSubscription()) {
    const token = await sessions.start(asn);
    const hash = hashSecret(token) ?? "";
    await saveSubscription(db, hash, { ...subscription, alerts }, time.now);
    return { token, hash };
  }

  return { database, db, time, clock, sessions, keys, subscribe };
}
