/** The login sessions as the participant sees them, and how long they last. */
import { expect, test } from "vitest";
import type { LoginSession } from "#contract/call-tables/accounts/account-calls.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import {
  type AccountServer,
  goodPassword,
  isLoggedIn,
  logIn,
  registerAndLogIn,
  serveAccounts,
} from "./account-server.ts";

const username = "4242420001";
const dayMs = 86_400_000;

async function list(server: AccountServer, session: Record<string, string>): Promise<LoginSession[]> {
  const { body } = await server.post("/api/getLoginSessions", { username }, session);
  return body as LoginSession[];
}

const end = (server: AccountServer, session: Record<string, string>, id: unknown, as = username) =>
  server.post("/api/endLoginSession", { username: as, id }, session);

describeWithDatabase("the login sessions of an AS", { postgres: "share" }, (openDatabase) => {
  test("are listed with times, address prefix and browser, without addresses and secrets", async () => {
    await using server = await serveAccounts(await openDatabase());
    const own = await registerAndLogIn(server);
    server.pass(2 * dayMs);
    const phone = await server.post(
      "/api/login/",
      { username, password: goodPassword },
      {
        "x-forwarded-for": "2001:db8:1:2::3",
        "user-agent":
          "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1",
      },
    );
    expect(phone.status).toBe(200);
    server.pass(3_600_000);
    const start = Date.UTC(2026, 0, 20);
    await isLoggedIn(server, own);
    // The visit does not wait until it is stored.
    await expect
      .poll(() => list(server, own))
      .toMatchObject([
        {
          created: start,
          last_used: start + 2 * dayMs + 3_600_000,
          ends: start + 32 * dayMs + 3_600_000,
          address_prefix: "127.0.0.0/24",
          current: true,
        },
        {
          created: start + 2 * dayMs,
          last_used: start + 2 * dayMs,
          ends: start + 32 * dayMs,
          address_prefix: "2001:db8:1::/48",
          browser: "Safari on iOS",
          current: false,
        },
      ]);
    const rows = await server.database.db.selectFrom("login_sessions").select("hash").execute();
    const text = JSON.stringify(await list(server, own));
    for (const secret of [
      ...rows.map(({ hash }) => hash),
      own["cookie"]?.split("=")[1] ?? "",
      "2001:db8:1:2",
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test("can be ended one by one, and the end of the own one deletes the cookie", async () => {
    await using server = await serveAccounts(await openDatabase());
    const own = await registerAndLogIn(server);
    const other = await logIn(server, goodPassword);
    const third = await logIn(server, goodPassword);
    const { id = "" } = (await list(server, other)).find(({ current }) => current) ?? {};
    expect(await isLoggedIn(server, other)).toBe(true);
    expect(await end(server, own, id)).toMatchObject({ status: 200, body: {} });
    expect(await isLoggedIn(server, other)).toBe(false);
    expect(await isLoggedIn(server, third)).toBe(true);
    expect(await list(server, own)).toHaveLength(2);
    expect(await end(server, own, id)).toMatchObject({ status: 404, body: { field: "id" } });

    const session = (await list(server, own)).find(({ current }) => current);
    const ended = await end(server, own, session?.id);
    expect(ended.headers.getSetCookie()).toEqual([expect.stringMatching(/^peerdeck=;/)]);
    expect(await isLoggedIn(server, own)).toBe(false);
  });

  test("cannot be ended by another AS, or by a wrong ID", async () => {
    await using server = await serveAccounts(await openDatabase());
    const own = await registerAndLogIn(server);
    const [session] = await list(server, own);
    const { db } = server.database;
    const account = await db.selectFrom("accounts").selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto("accounts")
      .values({ ...account, asn: "4242420002", first_login_at: null })
      .execute();
    const stranger = await logIn(server, goodPassword, "4242420002");
    expect(await end(server, stranger, session?.id, "4242420002")).toMatchObject({ status: 404 });
    expect(await end(server, stranger, session?.id)).toMatchObject({ status: 403 });
    expect(await isLoggedIn(server, own)).toBe(true);
    expect(await end(server, own, "no such one")).toMatchObject({ status: 404, body: { field: "id" } });
    expect(await end(server, own, 7)).toMatchObject({ status: 422, body: { field: "id" } });
  });

  test("end 90 days after the login, whatever the visits", async () => {
    await using server = await serveAccounts(await openDatabase());
    const own = await registerAndLogIn(server);
    const rows = server.database.db.selectFrom("login_sessions").select("used_at");
    let now = Date.UTC(2026, 0, 20);
    for (const passedMs of [29 * dayMs, 29 * dayMs, 29 * dayMs, 3 * dayMs - 1]) {
      server.pass(passedMs);
      now += passedMs;
      expect(await isLoggedIn(server, own)).toBe(true);
      // The response does not wait until the visit is stored.
      await expect.poll(() => rows.execute()).toEqual([{ used_at: now }]);
    }
    server.pass(1);
    expect(await isLoggedIn(server, own)).toBe(false);
  });
});
