/** A participant changes the password of the account while logged in. */
import { expect, test } from "vitest";
import { saveSubscription } from "#server/push/subscriptions.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { browserSubscription } from "../push/browser.ts";
import {
  type AccountServer,
  cookieOf,
  goodPassword,
  isLoggedIn,
  logIn,
  register,
  registerAndLogIn,
  serveAccounts,
} from "./account-server.ts";

const username = "4242420001";
const newPassword = "eleven lanterns over the bay";
const body = { username, current_password: goodPassword, password: newPassword };

const change = (server: AccountServer, session: Record<string, string>, changed: Partial<typeof body> = {}) =>
  server.post("/api/changePassword", { ...body, ...changed }, session);

async function mails({ mailOutbox }: AccountServer, subject: RegExp) {
  const all = await mailOutbox.listMails();
  return all.filter((mail) => subject.test(mail.subject));
}

describeWithDatabase("changing the password", { postgres: "share" }, (openDatabase) => {
  test("renews the login session with its push subscription, and ends others and mailed links", async () => {
    await using server = await serveAccounts(await openDatabase());
    const own = await registerAndLogIn(server);
    const other = await logIn(server, goodPassword);
    await server.post("/api/sendEmailVerification", { asn: username, password_reset: "Yes" });
    const token = await server.mailedToken("ada@example.org");
    const { db } = server.database;
    const sessions = await db.selectFrom("login_sessions").select("hash").execute();
    for (const { hash } of sessions)
      await saveSubscription(db, hash, { ...browserSubscription(), alerts: true }, 0);

    const changed = await change(server, own);
    expect(changed).toMatchObject({ status: 200, body: {} });
    const renewed = cookieOf(changed);
    expect(renewed).not.toEqual(own);
    expect(await isLoggedIn(server, renewed)).toBe(true);
    // A stolen copy of the cookie.
    expect(await isLoggedIn(server, own)).toBe(false);
    expect(await isLoggedIn(server, other)).toBe(false);
    expect(await logIn(server, goodPassword)).toEqual({ cookie: "" });
    expect(await logIn(server, newPassword)).not.toEqual({ cookie: "" });
    const left = await db
      .selectFrom("push_subscriptions")
      .innerJoin("login_sessions", "login_sessions.hash", "push_subscriptions.login_session_hash")
      .select("login_sessions.asn")
      .execute();
    expect(left).toEqual([{ asn: username }]);
    expect(await server.post("/api/setPassword", { token, password: "a third sentence" })).toMatchObject({
      status: 400,
    });
  });

  test("a wrong, rejected or equal password changes nothing, and the error names its field", async () => {
    await using server = await serveAccounts(await openDatabase());
    const own = await registerAndLogIn(server);
    for (const [field, value] of [
      ["current_password", "not this one"],
      ["password", "short"],
      ["password", goodPassword],
    ] as const)
      expect(await change(server, own, { [field]: value })).toMatchObject({ status: 422, body: { field } });
    expect(await isLoggedIn(server, own)).toBe(true);
    expect(await logIn(server, goodPassword)).not.toEqual({ cookie: "" });
  });

  test("a thief of a login session can guess ten times, and cannot lock the owner out of the login", async () => {
    await using server = await serveAccounts(await openDatabase());
    const stolen = await registerAndLogIn(server);
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        change(server, stolen, { current_password: `guess number ${index}` }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(20);
    expect(await change(server, stolen)).toMatchObject({ status: 429 });
    expect(await logIn(server, goodPassword)).not.toEqual({ cookie: "" });
    expect(await logIn(server, "a wrong one")).toEqual({ cookie: "" });
    expect(await logIn(server, goodPassword)).not.toEqual({ cookie: "" });
  });
});

describeWithDatabase("two changes of the password", { postgres: "always" }, (openDatabase) => {
  test("of which one wins at the same time, and the other is rejected", async () => {
    await using server = await serveAccounts(await openDatabase());
    const own = await registerAndLogIn(server);
    const other = await logIn(server, goodPassword);
    const results = await Promise.all([
      change(server, own),
      change(server, other, { password: "a completely other phrase" }),
    ]);
    const statuses = results.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect([401, 409, 422]).toContain(statuses.find((status) => status !== 200));
  });
});

describeWithDatabase("mails about an account", { postgres: "share" }, (openDatabase) => {
  test("report a change of the password: when, from where, and what to do", async () => {
    await using server = await serveAccounts(await openDatabase());
    const own = await registerAndLogIn(server);
    await change(server, {
      ...own,
      "x-forwarded-for": "198.51.100.77",
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    });
    await expect.poll(() => mails(server, /^Password changed/)).toHaveLength(1);
    const [mail] = await mails(server, /^Password changed/);
    expect(mail).toMatchObject({
      to: "ada@example.org",
      subject: "Password changed for AS4242420001 at Example Network",
    });
    expect(mail?.text).toContain("2026-01-20 00:00 UTC");
    expect(mail?.text).toContain("198.51.100.0/24");
    expect(mail?.text).not.toContain("198.51.100.77");
    expect(mail?.text).toContain("Firefox on Linux");
    expect(mail?.text).toContain("http://peering.example.net/forgotPassword");
  });

  test("report a reset with a mailed link, but not the registration", async () => {
    await using server = await serveAccounts(await openDatabase());
    await register(server);
    await server.post("/api/sendEmailVerification", { asn: username, password_reset: "Yes" });
    const token = await server.mailedToken("ada@example.org");
    await server.post(
      "/api/setPassword",
      { token, password: newPassword },
      { "x-forwarded-for": "2001:db8:1:2::3" },
    );
    await expect.poll(() => mails(server, /^Password reset for/)).toHaveLength(1);
    const [mail] = await mails(server, /^Password reset for/);
    expect(mail?.text).toContain("2001:db8:1::/48");
    expect(await mails(server, /^(?:Password|New)/)).toHaveLength(1);
  });

  test("report a limited number of logins from new clients, but not the first login and no known client", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { newClientMailPerAs: { points: 2, seconds: 3600 } },
    });
    await register(server);
    const login = { username, password: goodPassword };
    const first = await server.post("/api/login/", login);
    const known = first.headers.getSetCookie()[1]?.split(";")[0] ?? "";
    expect(await server.post("/api/login/", login, { cookie: known })).toMatchObject({ status: 200 });
    const from = { "x-forwarded-for": "203.0.113.9" };
    for (let count = 0; count < 5; count += 1)
      expect(await server.post("/api/login/", login, from)).toMatchObject({ status: 200 });
    await expect.poll(() => mails(server, /^New login/)).toHaveLength(2);
    for (const { text } of await mails(server, /^New login/)) expect(text).toContain("203.0.113.0/24");
  });

  test("wait in the database while the registry finds nothing, and the login does not", async () => {
    let isReadable = true;
    const registry = {
      found: true,
      addresses: ["ada@example.org"],
      altered: null,
      unreachable: null,
    } as const;
    await using server = await serveAccounts(await openDatabase(), {
      registry: { findContacts: async () => (isReadable ? registry : { found: false }) },
    });
    await register(server);
    await logIn(server, goodPassword);
    isReadable = false;
    expect(await logIn(server, goodPassword)).not.toEqual({ cookie: "" });
    isReadable = true;
    const own = await logIn(server, goodPassword);
    expect(own).not.toEqual({ cookie: "" });
    await expect.poll(() => mails(server, /^New login/)).toHaveLength(2);
  });

  test("are not sent for a flagged account", async () => {
    await using server = await serveAccounts(await openDatabase());
    const own = await registerAndLogIn(server);
    await server.database.db
      .updateTable("accounts")
      .set({ flagged_at: 1, flagged_holder: "OTHER-MNT" })
      .execute();
    await change(server, own);
    await expect
      .poll(() => server.database.db.selectFrom("account_notices").select("id").execute())
      .toEqual([]);
    expect(await mails(server, /^Password changed/)).toEqual([]);
  });
});
