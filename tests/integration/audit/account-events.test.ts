import { expect, test } from "vitest";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { createLoginSessions } from "#server/api/login-sessions.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent, recordPublicEvent } from "#server/audit/record-event.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import {
  type AccountServer,
  goodPassword,
  logIn,
  registerAndLogIn,
  serveAccounts,
} from "../accounts/account-server.ts";

const username = "4242420001";
const hourMs = 3_600_000;
const clock = () => Date.UTC(2026, 0, 20);
const highLimit = { points: 10_000, seconds: 60 };
/** The rate limits stop most floods before they reach the log. */
const unlimited = { failedLoginPerAs: highLimit, failedLoginPerClient: highLimit, loginPerAs: highLimit };

type Headers = Readonly<Record<string, string>>;

async function readActivity(server: AccountServer, cookie: Headers, before?: string) {
  const { status, body } = await server.post("/api/getActivity", { username, before }, cookie);
  expect(status).toBe(200);
  return body as { readonly entries: readonly ActivityEntry[]; readonly next: string | null };
}

function countRows({ database }: Pick<AccountServer, "database">, kind: string): Promise<number> {
  return database.db
    .selectFrom("audit_events")
    .select("id")
    .where("kind", "=", kind)
    .execute()
    .then((rows) => rows.length);
}

describeWithDatabase("activity", { postgres: "share" }, (openDatabase) => {
  test("lists logins, failed logins, links, passwords and ended login sessions, the newest first", async () => {
    await using server = await serveAccounts(await openDatabase());
    const old = await registerAndLogIn(server);
    await server.post("/api/logout/", undefined, old);
    const attack = { "x-forwarded-for": "2001:db8:7:1234::1" };
    await server.post("/api/login/", { username, password: "not this one" }, attack);
    await server.post("/api/sendEmailVerification", { asn: username, password_reset: "Yes" });
    const token = await server.mailedToken("ada@example.org");
    await server.post("/api/setPassword", { token, password: goodPassword });
    const cookie = await logIn(server, goodPassword);

    const { entries, next } = await readActivity(server, cookie);
    expect(next).toBeNull();
    expect(entries.map(({ kind, network, own }) => [kind, network, own])).toEqual([
      ["login", "127.0.0.0/24", true],
      ["password-set", "127.0.0.0/24", false],
      ["reset-link", "127.0.0.0/24", false],
      ["login-failed", "2001:db8:7::/48", false],
      ["logout", "127.0.0.0/24", false],
      ["login", "127.0.0.0/24", false],
      ["password-set", "127.0.0.0/24", false],
      ["registration-link", "127.0.0.0/24", false],
    ]);
    expect(entries[0]?.text).toBe("You logged in. This browser had not logged in before.");
  });

  test("names the request as the log line does", async () => {
    await using server = await serveAccounts(await openDatabase());
    await server.post("/api/login/", { username, password: "not this one" });
    const lines = server.log.map(
      (line) => JSON.parse(line) as { readonly id?: string; readonly path?: string },
    );
    const logged = lines.find(({ path }) => path === "/api/login/")?.id;
    expect(logged).toMatch(/^[0-9a-f-]{36}$/);
    const events = await server.database.db.selectFrom("audit_events").select(["kind", "request"]).execute();
    expect(events).toEqual([{ kind: "login-failed-no-account", request: logged }]);
  });

  test("records the login sessions that end by themselves", async () => {
    await using server = await serveAccounts(await openDatabase(), { limits: unlimited });
    const first = await registerAndLogIn(server);
    await server.post("/api/login/", { username, password: goodPassword }, first);
    const sessions = createLoginSessions({ ...server.database, clock, retentionClock: clock });
    for (let index = 0; index < 49; index += 1) await sessions.start(username);
    await logIn(server, goodPassword);
    expect(await countRows(server, "login-session-replaced")).toBe(1);
    expect(await countRows(server, "login-session-displaced")).toBe(1);
    server.pass(31 * 24 * hourMs);
    await logIn(server, goodPassword);
    await expect.poll(() => countRows(server, "login-session-expired")).toBe(49);
  });

  test("is read in pages", async () => {
    await using server = await serveAccounts(await openDatabase());
    const cookie = await registerAndLogIn(server);
    const later = Date.UTC(2026, 0, 21);
    for (let index = 0; index < 48; index += 1) {
      await recordEvent(server.database.db, { kind: "logout", asn: username }, noOrigin, later);
    }
    const first = await readActivity(server, cookie);
    expect(first.entries).toHaveLength(50);
    const second = await readActivity(server, cookie, first.next ?? "");
    expect(second.entries.map(({ kind }) => kind)).toEqual(["registration-link"]);
    expect(second.next).toBeNull();
    const { status, body } = await server.post("/api/getActivity", { username, before: "' or 1=1" }, cookie);
    expect([status, body]).toMatchObject([422, { field: "before" }]);
  });

  test("shows an AS its own events only, and a new holder nothing from before", async () => {
    await using server = await serveAccounts(await openDatabase());
    const cookie = await registerAndLogIn(server);
    await server.post("/api/login/", { username: "4242420002", password: "not this one" });
    expect(await server.post("/api/getActivity", { username: "4242420002" }, cookie)).toMatchObject({
      status: 403,
    });
    const own = (await readActivity(server, cookie)).entries.map(({ kind }) => kind);
    expect(own).toEqual(["login", "password-set", "registration-link"]);
    const { db } = server.database;
    await recordEvent(db, { kind: "account-released", asn: username }, noOrigin, Date.UTC(2026, 0, 21));
    const { entries } = await readActivity(server, cookie);
    expect(entries.map(({ kind }) => kind)).toEqual(["account-released"]);
  });

  test("ending all login sessions ends the caller's and every other one, and is recorded", async () => {
    await using server = await serveAccounts(await openDatabase());
    const mine = await registerAndLogIn(server);
    const theirs = await logIn(server, goodPassword);
    const ended = await server.post("/api/endAllLoginSessions", { username }, mine);
    expect(ended.status).toBe(200);
    expect(ended.headers.get("set-cookie")).toMatch(/^peerdeck=;.*Max-Age=0/);
    for (const cookie of [mine, theirs]) {
      expect(await server.post("/api/getActivity", { username }, cookie)).toMatchObject({ status: 401 });
    }
    const { entries } = await readActivity(server, await logIn(server, goodPassword));
    expect(entries.slice(0, 2).map(({ kind }) => kind)).toEqual(["login", "login-sessions-ended"]);
  });
});

describeWithDatabase("a flood of failed logins", { postgres: "campaigns" }, (openDatabase) => {
  test("is recorded five times an hour for a network, 40 times a day for an AS, and 100 times an hour without accounts", async () => {
    await using database = await openAsServer(await openDatabase());
    const { db } = database;
    let now = Date.UTC(2026, 0, 20);
    const fail = (from: string, asn = username, hasAccount = true) => {
      const kind = hasAccount ? "login-failed" : "login-failed-no-account";
      const origin = { ...noOrigin, clientAddress: from };
      return recordPublicEvent(db, { kind, asn, hasAccount }, origin, now);
    };

    for (let host = 1; host <= 12; host += 1) await fail(`198.51.100.${host}`);
    const events = await db.selectFrom("audit_events").select("detail").orderBy("id").execute();
    const last = "Further ones are not recorded for up to an hour.";
    expect(events.map(({ detail }) => detail)).toEqual([null, null, null, null, last]);
    await fail("203.0.113.1");
    expect(await countRows({ database }, "login-failed")).toBe(6);
    now += hourMs + 1;
    await fail("198.51.100.1");
    expect(await countRows({ database }, "login-failed")).toBe(7);

    for (let network = 1; network <= 50; network += 1) await fail(`198.51.${network}.1`);
    expect(await countRows({ database }, "login-failed")).toBe(40);
    now += 24 * hourMs + 1;
    await fail("198.51.1.1");
    expect(await countRows({ database }, "login-failed")).toBe(41);

    for (let index = 0; index < 110; index += 1)
      await fail(`198.51.${index}.1`, String(4_242_430_000 + index), false);
    expect(await countRows({ database }, "login-failed-no-account")).toBe(100);
    await fail("203.0.113.1");
    expect(await countRows({ database }, "login-failed")).toBe(42);
  });
});
