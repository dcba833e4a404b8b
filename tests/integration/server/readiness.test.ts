/** `/readyz` on both databases, with an old push message. `postgres-stalls.test.ts` has a database that does not respond. */
import { expect, test } from "vitest";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import { profileServer } from "./profile-server.ts";

async function readReadiness(url: string) {
  const response = await fetch(`${url}/readyz`);
  return {
    status: response.status,
    cache: response.headers.get("cache-control"),
    body: (await response.json()) as unknown,
  };
}

const ok = { status: "ok" };
const noneWaits = { status: "ok", oldestSeconds: 0 };

describeWithDatabase("readiness", { postgres: "share" }, (openTestDatabase) => {
  test("is ok, and says that a push message waits for a long time", async () => {
    const at = await openTestDatabase();
    await using server = await profileServer({}, { at });
    const registry = { status: "ok", ageDays: null };
    expect(await readReadiness(server.url)).toEqual({
      status: 200,
      cache: "no-store",
      body: {
        status: "ok",
        checks: { database: ok, dataDir: ok, registry, mail: noneWaits, push: noneWaits },
      },
    });

    await using database = await openAsServer(at);
    const now = Date.now();
    const written = now - 20 * 60_000;
    const asn = "4242420001";
    const keys = { login_session_hash: "session", p256dh: "", auth: "", alerts: 0 };
    await database.db
      .insertInto("login_sessions")
      .values({
        hash: "session",
        asn,
        created_at: now,
        expires_at: now + 3_600_000,
        used_at: now,
        address_prefix: null,
        browser: "curl",
      })
      .execute();
    await database.db
      .insertInto("push_subscriptions")
      .values({ id: "browser", asn, endpoint: "https://push.example.net/1", created_at: now, ...keys })
      .execute();
    await database.db
      .insertInto("push_messages")
      .values({
        id: "old",
        subscription: "browser",
        topic: "task",
        payload: "{}",
        created_at: written,
        attempts: 1,
        next_attempt_at: now + 3_600_000,
      })
      .execute();
    expect(await readReadiness(server.url)).toMatchObject({
      status: 200,
      body: { status: "degraded", checks: { database: ok, mail: ok, push: { status: "warning" } } },
    });
  });
});
