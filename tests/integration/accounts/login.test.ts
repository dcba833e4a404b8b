import { once } from "node:events";
import { expect, test } from "vitest";
import { openDatabase as openServerDatabase } from "#server/db/open.ts";
import { createLoginSessions } from "#server/api/login-sessions.ts";
import { createTestDatabase, describeWithDatabase, postgresTemplate } from "../../support/databases.ts";
import {
  type AccountServer,
  cookieOf,
  goodPassword,
  isLoggedIn,
  register,
  serveAccounts,
  registerAndLogIn,
  logIn,
} from "./account-server.ts";
import { passDate, stopDate } from "./stopped-date.ts";

const dayMs = 86_400_000;
const clock = () => 1_000_000;
const wrong = { status: 401, body: { message: "Invalid credentials" } };

/** A cookie that is bound to the host and to https. */
function boundCookie(name: string, length: number, seconds: number): string {
  const attributes = `Max-Age=${seconds}; Path=/; HttpOnly; Secure; SameSite=Lax`;
  return expect.stringMatching(`^__Host-${name}=[\\w-]{${length}}; ${attributes}$`) as string;
}

/** When the only login session ends, in milliseconds since 1970. */
async function endOfSession({ database }: AccountServer): Promise<number> {
  const row = await database.db.selectFrom("login_sessions").select("expires_at").executeTakeFirstOrThrow();
  return row.expires_at;
}

describeWithDatabase("logging in", { postgres: "share" }, (openDatabase) => {
  test("an AS without an account costs the same work and gets the same response as a wrong password", async () => {
    await using server = await serveAccounts(await openDatabase());
    await register(server);
    const before = server.derivations();
    const known = await server.post("/api/login/", { username: "4242420001", password: "not this one" });
    const between = server.derivations();
    const unknown = await server.post("/api/login/", { username: "4242420002", password: "not this one" });
    const nonsense = await server.post("/api/login/", {
      username: "AS1'; --",
      password: "not this one",
    });
    expect(known).toMatchObject(wrong);
    expect([unknown.body, nonsense.body]).toEqual([known.body, known.body]);
    expect([between - before, server.derivations() - between]).toEqual([1, 2]);
    for (const response of [known, unknown, nonsense]) expect(response.headers.get("set-cookie")).toBeNull();
  });

  test("an AS number is accepted in every form that people type, and is one account with one limit", async () => {
    stopDate();
    await using server = await serveAccounts(await openDatabase());
    const forms = [
      "AS4242420001",
      "as 4242 420 001",
      "\u00a04242420001\n",
      "AS 4242\u202f420\u202f001",
    ] as const;
    const [form] = forms;
    const link = await server.post("/api/sendEmailVerification", { asn: form });
    expect(link).toMatchObject({ status: 200 });
    await register(server);
    expect(await server.post("/api/sendEmailVerification", { asn: form })).toMatchObject({ status: 409 });
    let session: ReturnType<typeof cookieOf> = { cookie: "" };
    for (const username of forms) {
      const login = await server.post("/api/login/", { username, password: goodPassword });
      expect([username, login.status]).toEqual([username, 200]);
      session = cookieOf(login);
      const status = await server.get("/api/auth-status/", session);
      expect(status.body).toEqual({ isAuthenticated: true, username: "4242420001" });
      expect(await server.post("/api/getLoginSessions", { username }, session)).toMatchObject({
        status: 200,
      });
    }
    for (const username of ["AS4242420002", "4242 420 00", "AS04242420001"])
      expect(await server.post("/api/getLoginSessions", { username }, session)).toMatchObject({
        status: 403,
      });
    // The limit of failures is that of the AS, whatever form it was typed in.
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        server.post(
          "/api/login/",
          { username: forms[index % forms.length] ?? form, password: `guess number ${index}` },
          { "x-forwarded-for": `198.51.${index}.1` },
        ),
      ),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
  });

  test("guesses from many addresses at one account are limited for five minutes, and other accounts are not affected", async () => {
    stopDate();
    await using server = await serveAccounts(await openDatabase());
    await register(server);
    const guess = (index: number, username = "4242420001") =>
      server.post(
        "/api/login/",
        { username, password: `guess number ${index}` },
        { "x-forwarded-for": `198.51.${index}.1` },
      );
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, index) => guess(index)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = guesses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(200);
    expect(await guess(41, "4242420002")).toMatchObject(wrong);
    // The owner has not logged in from this client before; otherwise guesses would not keep the owner out.
    passDate(299_000);
    expect(await logIn(server, goodPassword)).toEqual({ cookie: "" });
    passDate(1_000);
    expect(await logIn(server, goodPassword)).not.toEqual({ cookie: "" });
  });

  test("guesses of one address at many accounts are limited, and other addresses are not affected", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { failedLoginPerClient: { points: 5, seconds: 900 } },
    });
    const guess = (index: number, from: string) =>
      server.post(
        "/api/login/",
        { username: String(4_242_420_100 + index), password: "a common one" },
        { "x-forwarded-for": from },
      );
    for (let index = 0; index < 5; index += 1)
      expect(await guess(index, `2001:db8::${index + 1}`)).toMatchObject(wrong);
    expect(await guess(6, "2001:db8::9")).toMatchObject({ status: 429 });
    expect(await guess(6, "2001:db8:0:1::9")).toMatchObject(wrong);
  });

  test("correct passwords are no failures", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: {
        failedLoginPerAs: { points: 1, seconds: 300 },
        failedLoginPerClient: { points: 1, seconds: 900 },
      },
    });
    await register(server);
    for (let count = 0; count < 3; count += 1) {
      expect(await logIn(server, goodPassword)).not.toEqual({ cookie: "" });
    }
  });

  test("its cookies are limited to this host and hidden from scripts, and a visit extends the login session's", async () => {
    await using server = await serveAccounts(await openDatabase());
    await register(server);
    const planted = { cookie: `peerdeck=${"A".repeat(43)}` };
    const credentials = { username: "4242420001", password: goodPassword };
    const login = await server.post("/api/login/", credentials, planted);
    const [cookie = "", known] = login.headers.getSetCookie();
    expect(await isLoggedIn(server, planted)).toBe(false);
    expect(cookie).toMatch(/^peerdeck=(?!A{43})[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(known).toMatch(/^peerdeck-known=[\w-]{65}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
    const visit = await server.get("/api/auth-status/", cookieOf(login));
    expect(visit.headers.get("set-cookie")).toBe(cookie);
    // The browser stays known.
    const logout = await server.post("/api/logout/", null, cookieOf(login));
    expect(logout.headers.getSetCookie()).toEqual([expect.stringMatching(/^peerdeck=;/)]);
  });

  test("over https its cookies are bound to the host and to https", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      publicUrl: "https://peering.example.net",
    });
    await register(server);
    const login = await server.post("/api/login/", { username: "4242420001", password: goodPassword });
    expect(login.headers.getSetCookie()).toEqual([
      boundCookie("peerdeck", 43, 2_592_000),
      boundCookie("peerdeck-known", 65, 34_560_000),
    ]);
    const unbound = cookieOf(login)["cookie"]?.replace("__Host-", "") ?? "";
    expect(await isLoggedIn(server, { cookie: unbound })).toBe(false);
  });

  test("a login session ends thirty days after the last visit, and visits within an hour write nothing", async () => {
    await using server = await serveAccounts(await openDatabase());
    const session = await registerAndLogIn(server);
    let end = await endOfSession(server);
    server.pass(59 * 60_000);
    expect(await isLoggedIn(server, session)).toBe(true);
    expect(await endOfSession(server)).toBe(end);
    end += 59 * 60_000;
    for (const passedMs of [60_000, 29 * dayMs, 29 * dayMs]) {
      server.pass(passedMs);
      end += passedMs;
      expect(await isLoggedIn(server, session)).toBe(true);
      // The response does not wait for the extension.
      await expect.poll(() => endOfSession(server)).toBe(end);
    }
    server.pass(30 * dayMs);
    expect(await isLoggedIn(server, session)).toBe(false);
  });

  test("neither the database nor the logs contain tokens or passwords", async () => {
    await using server = await serveAccounts(await openDatabase());
    const session = await registerAndLogIn(server);
    await server.post("/api/login/", { username: "4242420001", password: "canary of a wrong password" });
    await server.post("/api/login/", { username: "canary of a mistyped name", password: "not this one" });
    await server.post("/api/sendEmailVerification", { asn: "4242420001", password_reset: "Yes" });
    const token = await server.mailedToken("ada@example.org");
    await server.get(`/api/nowhere?token=${token}`);
    await server.get(`/api/auth-status/?token=${token}`, session);
    const secrets = [
      goodPassword,
      "canary of a wrong password",
      "canary of a mistyped name",
      token,
      session["cookie"]?.split("=")[1] ?? "",
    ];
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);

    const { db } = server.database;
    const rows = JSON.stringify([
      await db.selectFrom("accounts").selectAll().execute(),
      await db.selectFrom("account_tokens").selectAll().execute(),
      await db.selectFrom("login_sessions").selectAll().execute(),
      await db.selectFrom("audit_events").selectAll().execute(),
    ]);
    expect(rows).toContain("4242420001");
    expect(server.log.join("\n")).toContain('"asn":"4242420001"');
    for (const secret of secrets) {
      expect(rows).not.toContain(secret);
      expect(server.log.join("\n")).not.toContain(secret);
    }
  });
});

test("a login session that ends on one server ends on another that has cached it", async () => {
  await using at = await createTestDatabase(postgresTemplate);
  const options = { dataDir: "", url: at.url, onError: () => undefined };
  await using here = await openServerDatabase(options);
  await using there = await openServerDatabase(options);
  const ours = createLoginSessions({ ...here, clock, retentionClock: clock });
  const theirs = createLoginSessions({ ...there, clock, retentionClock: clock });
  const token = await ours.start("4242420001");
  expect(await theirs.find(token)).toBe("4242420001");

  const heard = new EventTarget();
  const told = once(heard, "ended");
  there.events.subscribe("sessionsEnded", () => heard.dispatchEvent(new Event("ended")));
  await here.db.transaction().execute((tx) => ours.endAll(tx, "4242420001"));
  expect(await theirs.find(token)).toBe("4242420001");
  await ours.announceEnded("4242420001");
  await told;
  expect(await theirs.find(token)).toBeNull();
});
