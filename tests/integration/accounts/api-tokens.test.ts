/** The life of API tokens: how they are created, stored, limited and ended, and what the audit log says of them. */
import { expect, test } from "vitest";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import type { ApiToken } from "#contract/call-tables/accounts/token-calls.ts";
import { maxApiTokens } from "#domain/accounts/api-tokens.ts";
import { deleteExpiredApiTokens } from "#server/api/tokens/api-token-rows.ts";
import { releaseAccount } from "#server/features/accounts/account-holders.ts";
import { blockAccount } from "#server/features/accounts/blocks.ts";
import { endByOperator } from "#server/features/accounts/login-sessions/end-by-operator.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import {
  type AccountServer,
  goodPassword,
  logIn,
  registerAndLogIn,
  serveAccounts,
} from "./account-server.ts";

const username = "4242420001";
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 0, 20);
const invalid =
  "This API token is unknown, has expired or was revoked. Nothing was changed; create another one in Settings.";

type Headers = Readonly<Record<string, string>>;

function request(changes: object = {}) {
  return {
    username,
    name: "backup",
    scope: "change",
    node: null,
    days: 30,
    ends_with_password: true,
    ...changes,
  };
}

async function create(server: AccountServer, cookie: Headers, changes: object = {}): Promise<string> {
  const { status, body } = await server.post("/api/createApiToken", request(changes), cookie);
  expect(status).toBe(200);
  return (body as { readonly token: string }).token;
}

async function list(server: AccountServer, cookie: Headers): Promise<readonly ApiToken[]> {
  const { body } = await server.post("/api/getApiTokens", { username }, cookie);
  return body as readonly ApiToken[];
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** A call that each token with the scope `change` may make. Returns its status. */
async function use(server: AccountServer, token: string, headers: Headers = {}): Promise<number> {
  const message = { username, name: "Ada", email: "ada@example.org", message: "Hello" };
  const { status } = await server.post("/api/submitContactForm", message, { ...bearer(token), ...headers });
  return status;
}

async function readActivity(server: AccountServer, cookie: Headers): Promise<readonly ActivityEntry[]> {
  const { body } = await server.post("/api/getActivity", { username }, cookie);
  return (body as { readonly entries: readonly ActivityEntry[] }).entries;
}

const manyContacts = { contactPerAs: { points: 1000, seconds: 60 } };

describeWithDatabase("API tokens", { postgres: "always" }, (openDatabase) => {
  test("are shown once, stored hashed, listed with their last use, and reported by mail and activity", async () => {
    await using server = await serveAccounts(await openDatabase());
    const cookie = await registerAndLogIn(server);
    const created = await server.post("/api/createApiToken", request({ name: "  backup " }), cookie);
    const { token } = created.body as { readonly token: string };
    expect(token).toMatch(/^peerdeck_[\w-]{43}$/);
    const [listed] = await list(server, cookie);
    expect(listed).toEqual({
      id: expect.stringMatching(/^[\w-]{16}$/),
      name: "backup",
      scope: "change",
      node: null,
      created: start,
      expires: start + 30 * dayMs,
      last_used: null,
      address_prefix: null,
      ends_with_password: true,
    });
    const rows = await server.database.db.selectFrom("api_tokens").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token.slice("peerdeck_".length));

    expect(await use(server, token, { "x-forwarded-for": "2001:db8:7:1::1" })).toBe(200);
    await expect
      .poll(() => list(server, cookie))
      .toMatchObject([{ last_used: start, address_prefix: "2001:db8:7::/48" }]);
    server.pass(hourMs - 1);
    expect(await use(server, token)).toBe(200);
    expect(await list(server, cookie)).toMatchObject([{ last_used: start }]);
    server.pass(1);
    expect(await use(server, token)).toBe(200);
    await expect.poll(() => list(server, cookie)).toMatchObject([{ last_used: start + hourMs }]);

    const [entry] = await readActivity(server, cookie);
    expect(entry).toMatchObject({
      kind: "api-token-created",
      text: "You created an API token. “backup”: Read and change, all nodes, 30 days.",
      own: true,
      suspect: true,
    });
    await expect
      .poll(async () => (await server.mailOutbox.listMails()).map(({ subject }) => subject))
      .toContain("New API token for AS4242420001 at Example Network");
    expect(server.log.join("\n")).not.toContain(token);
    const exported = await server.post("/api/exportAccount", { username }, cookie);
    expect(exported.body).toMatchObject({ api_tokens: [{ name: "backup" }] });
    expect(JSON.stringify(exported.body)).not.toContain(token.slice("peerdeck_".length));
  });

  test("are valid until they expire, or are revoked, at once on every server", async () => {
    const at = await openDatabase();
    await using server = await serveAccounts(at);
    await using other = at.kind === "postgres" ? await serveAccounts(at) : null;
    const cookie = await registerAndLogIn(server);
    const revoked = await create(server, cookie);
    const expiring = await create(server, cookie, { name: "expiring" });
    const servers = [server, ...(other ? [other] : [])];
    for (const each of servers) expect(await use(each, revoked)).toBe(200);

    const [, { id } = { id: "" }] = await list(server, cookie).then((all) =>
      all.toSorted((a, b) => b.name.localeCompare(a.name)),
    );
    const revoke = () => server.post("/api/revokeApiToken", { username, id }, cookie);
    expect(await revoke()).toMatchObject({ status: 200 });
    for (const each of servers) expect(await use(each, revoked)).toBe(401);
    expect(await revoke()).toMatchObject({ status: 404, body: { field: "id" } });
    expect((await readActivity(server, cookie))[0]).toMatchObject({
      kind: "api-token-revoked",
      text: "You revoked an API token. “backup” can no longer be used.",
    });

    server.pass(30 * dayMs - 1);
    expect(await use(server, expiring)).toBe(200);
    server.pass(1);
    expect(await use(server, expiring)).toBe(401);
    const now = start + 30 * dayMs;
    await server.database.db
      .transaction()
      .execute((tx) => deleteExpiredApiTokens(tx, { now, expiredAt: now }));
    expect(await readActivity(server, await logIn(server, goodPassword))).toContainEqual(
      expect.objectContaining({ kind: "api-token-expired", suspect: false }),
    );
    expect(await server.database.db.selectFrom("api_tokens").select("name").execute()).toEqual([]);
  });

  test("are refused with one message, whatever is wrong, and their failures are limited", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { failedApiTokenPerClient: { points: 12, seconds: 900 } },
    });
    const cookie = await registerAndLogIn(server);
    const token = await create(server, cookie);
    const wrong = [
      "",
      "x",
      "peerdeck_",
      `peerdeck_${"A".repeat(43)}`,
      token.slice("peerdeck_".length),
      token.toUpperCase(),
      `${token}A`,
      `${token} ${token}`,
      `x${token}`,
      "peerdeck_' or 1=1 --",
    ];
    for (const each of wrong) {
      const response = await server.post("/api/getTasks", { username }, { ...cookie, ...bearer(each) });
      expect(response).toMatchObject({ status: 401, body: { message: invalid } });
      expect(response.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    await use(server, "x");
    await use(server, "x");
    expect(await use(server, "x")).toBe(429);
    expect(await use(server, token)).toBe(200);
  });

  test("decide beside a cookie, set none, and open neither the account nor another AS", async () => {
    await using server = await serveAccounts(await openDatabase());
    const cookie = await registerAndLogIn(server);
    const read = await create(server, cookie, { scope: "read" });
    expect(await use(server, read, cookie)).toBe(403);
    const account = await server.post("/api/getAccount", { username }, { ...cookie, ...bearer(read) });
    expect(account).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("login session") },
    });
    const change = await create(server, cookie, { name: "change" });
    const another = await server.post("/api/createApiToken", request({ name: "third" }), bearer(change));
    expect(another.status).toBe(403);
    const contact = { name: "Ada", email: "ada@example.org", message: "Hello" };
    const foreign = await server.post(
      "/api/submitContactForm",
      { ...contact, username: "4242420002" },
      bearer(change),
    );
    expect(foreign).toMatchObject({ status: 403, body: { field: "username" } });
    const nameless = await server.post("/api/submitContactForm", contact, bearer(change));
    expect(nameless).toMatchObject({ status: 422, body: { field: "username" } });
    // Public calls ignore a token: it neither logs in nor stops a login.
    expect((await server.get("/api/auth-status/", bearer(change))).body).toEqual({
      isAuthenticated: false,
      username: "",
    });
    expect((await server.get("/api/auth-status/", { ...bearer("x"), ...cookie })).body).toMatchObject({
      username,
    });
    // A page of another site that has got a token cannot use it either.
    expect(await use(server, change, { "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await use(server, change, { authorization: `bearer   ${change}` })).toBe(200);
    const basic = { ...cookie, authorization: "Basic cHJveHk6cGFzc3dvcmQ=" };
    expect((await server.post("/api/getAccount", { username }, basic)).status).toBe(200);
  });

  test("name what is wrong with a new one, and are at most twenty, also in parallel", async () => {
    await using server = await serveAccounts(await openDatabase());
    const cookie = await registerAndLogIn(server);
    const refusals: ReadonlyArray<readonly [object, number, string | undefined]> = [
      [{ name: "  " }, 422, "name"],
      [{ name: "x".repeat(61) }, 422, "name"],
      [{ name: "a\u202eb" }, 422, "name"],
      [{ name: 7 }, 422, "name"],
      [{ scope: "admin" }, 422, "scope"],
      [{ node: "nowhere" }, 422, "node"],
      [{ days: 31 }, 422, "days"],
      [{ ends_with_password: "yes" }, 422, "ends_with_password"],
    ];
    for (const [changes, status, field] of refusals) {
      const response = await server.post("/api/createApiToken", request(changes), cookie);
      expect({ ...response, changes }).toMatchObject({ changes, status, body: { field } });
    }
    await create(server, cookie);
    const again = await server.post("/api/createApiToken", request(), cookie);
    expect(again).toMatchObject({ status: 409, body: { field: "name" } });

    // Of several login sessions, because the row of each is locked.
    const cookies = await Promise.all(Array.from({ length: 8 }, () => logIn(server, goodPassword)));
    const attempts = Array.from({ length: maxApiTokens + 4 }, (_, index) =>
      server.post(
        "/api/createApiToken",
        request({ name: `script ${index}` }),
        cookies[index % cookies.length],
      ),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(maxApiTokens - 1);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    expect(await list(server, cookie)).toHaveLength(maxApiTokens);
    for (let left = 30 - 25; left > 0; left--) await server.post("/api/createApiToken", request(), cookie);
    expect((await server.post("/api/createApiToken", request(), cookie)).status).toBe(429);
  });

  test("end with another password unless they were made to stay", async () => {
    await using server = await serveAccounts(await openDatabase(), { limits: manyContacts });
    let cookie = await registerAndLogIn(server);
    const staying = await create(server, cookie, { name: "staying", ends_with_password: false });
    const ending = await create(server, cookie, { name: "ending" });
    const change = { username, current_password: goodPassword, password: `${goodPassword} again` };
    const changed = await server.post("/api/changePassword", change, cookie);
    expect(changed.status).toBe(200);
    expect([await use(server, staying), await use(server, ending)]).toEqual([200, 401]);

    cookie = await logIn(server, change.password);
    const second = await create(server, cookie, { name: "second" });
    // The mailed link is the newest mail only after the mails of all notices.
    const notices = server.database.db.selectFrom("account_notices").select("id");
    await expect.poll(() => notices.execute()).toEqual([]);
    await server.post("/api/sendEmailVerification", { asn: username, password_reset: "Yes" });
    const token = await server.mailedToken("ada@example.org");
    expect((await server.post("/api/setPassword", { token, password: goodPassword })).status).toBe(200);
    expect([await use(server, staying), await use(server, second)]).toEqual([200, 401]);
    cookie = await logIn(server, goodPassword);
    expect((await readActivity(server, cookie)).map(({ text }) => text)).toContain(
      "Your API token ended. “second” ended with the password.",
    );
  });

  test("all end with all login sessions, by the participant, the operator, or a block", async () => {
    await using server = await serveAccounts(await openDatabase(), { limits: manyContacts });
    const { db, events } = server.database;
    const ends = [
      (cookie: Headers) => server.post("/api/endAllLoginSessions", { username }, cookie),
      async () => {
        await db.deleteFrom("login_sessions").execute();
        const ended = await endByOperator({ db, events, clock: () => start }, null);
        expect(ended).toEqual([{ asn: username, count: 0, apiTokens: 1 }]);
      },
      () => blockAccount({ db, events, clock: () => start }, username, "Test."),
    ];
    let cookie = await registerAndLogIn(server);
    for (const end of ends) {
      cookie = await logIn(server, goodPassword);
      const token = await create(server, cookie, { ends_with_password: false });
      expect(await use(server, token)).toBe(200);
      await end(cookie);
      expect(await use(server, token)).toBe(401);
    }
  });

  test("of a former holder end when the operator accepts the new one", async () => {
    await using server = await serveAccounts(await openDatabase());
    const { db } = server.database;
    const cookie = await registerAndLogIn(server);
    const token = await create(server, cookie, { ends_with_password: false });
    await db.updateTable("accounts").set({ flagged_at: 1, flagged_holder: "OTHER-MNT" }).execute();
    expect(await use(server, token)).toBe(200);
    await releaseAccount(db, username, start);
    expect(await use(server, token)).toBe(401);
    expect((await readActivity(server, cookie)).map(({ text }) => text)).toContain(
      "Your API token ended. “backup” ended because the AS has another holder.",
    );
  });

  test("are never created by a login session that ends at the same time", async () => {
    await using server = await serveAccounts(await openDatabase());
    for (let round = 0; round < 8; round++) {
      const cookie = round === 0 ? await registerAndLogIn(server) : await logIn(server, goodPassword);
      await Promise.all([
        server.post("/api/createApiToken", request(), cookie),
        server.post("/api/endAllLoginSessions", { username }, cookie),
      ]);
      expect(await server.database.db.selectFrom("api_tokens").select("name").execute()).toEqual([]);
    }
  });
});
