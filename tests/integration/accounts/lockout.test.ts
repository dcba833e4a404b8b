/** Attacks that would keep participants from logging in or resetting their password. */
import { expect, test } from "vitest";
import {
  createTestDatabase,
  describeWithDatabase,
  postgresTemplate,
  type TestDatabase,
} from "../../support/databases.ts";
import { goodPassword, serveAccounts } from "./account-server.ts";
import {
  becomeKnown,
  createAccounts,
  guess,
  logIn,
  mailAddress,
  owner,
  readCookie,
  requestReset,
  stranger,
} from "./lockout-scene.ts";
import { passDate, stopDate } from "./stopped-date.ts";

describeWithDatabase("one account", { postgres: "campaigns" }, (openDatabase) => {
  test("cannot log in without end, and no other account is affected", async () => {
    stopDate();
    await using server = await serveAccounts(await openDatabase(), {
      limits: {
        loginPerAs: { points: 3, seconds: 300 },
        loginPerAsAndDay: { points: 4, seconds: 86_400 },
      },
    });
    await createAccounts(server, [owner, "4242420002"]);
    const cookie = await becomeKnown(server);
    for (let count = 0; count < 2; count += 1)
      expect(await logIn(server, owner, goodPassword, { address: stranger(count) })).toMatchObject({
        status: 200,
      });
    for (const from of [{ address: stranger(9) }, { address: stranger(9), cookie }]) {
      expect(await logIn(server, owner, goodPassword, from)).toMatchObject({
        status: 429,
        body: {
          message: "Too many logins for this AS number. Nothing was changed; wait 5 minutes and try again.",
        },
      });
    }
    expect(await logIn(server, "4242420002", goodPassword)).toMatchObject({ status: 200 });
    passDate(300_000);
    expect(await logIn(server, owner, "a guess", { cookie })).toMatchObject({ status: 401 });
    expect(await logIn(server, owner, goodPassword)).toMatchObject({ status: 200 });
    expect(await logIn(server, owner, goodPassword)).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining("in a day. Nothing was changed; wait 24 hours") },
    });
  });
});

describeWithDatabase("an account with many logins", { postgres: "share" }, (openDatabase) => {
  test("has at most fifty login sessions; the one that was used longest ago ends", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { loginPerAs: { points: 1000, seconds: 300 } },
    });
    await createAccounts(server, [owner, "4242420002"]);
    const start = async (asn: string) => ({
      cookie: readCookie(await logIn(server, asn, goodPassword), "peerdeck"),
    });
    const isLoggedIn = async (session: { readonly cookie: string }) =>
      (await server.get("/api/auth-status/", session)).body;
    const other = await start("4242420002");
    const visited = await start(owner);
    const unvisited = await start(owner);
    server.pass(7_200_000);
    expect(await isLoggedIn(visited)).toMatchObject({ isAuthenticated: true });
    for (let count = 0; count < 49; count += 1) await start(owner);
    expect(await isLoggedIn(unvisited)).toMatchObject({ isAuthenticated: false });
    for (const session of [other, visited, await start("4242420002")])
      expect(await isLoggedIn(session)).toMatchObject({ isAuthenticated: true });
    const rows = await server.database.db.selectFrom("login_sessions").select("asn").execute();
    expect(rows.filter(({ asn }) => asn === owner)).toHaveLength(50);
  });
});

test("the browser that has set the password logs in while strangers try passwords", async () => {
  await using server = await serveAccounts(null);
  await createAccounts(server, [owner]);
  await requestReset(server);
  await guess(server);
  const token = await server.mailedToken(mailAddress);
  const set = await server.post("/api/setPassword", { token, password: goodPassword });
  const cookie = readCookie(set, "peerdeck-known");
  expect(await logIn(server, owner, goodPassword, { cookie })).toMatchObject({ status: 200 });
});

describeWithDatabase("a stranger with wrong passwords", { postgres: "campaigns" }, (openDatabase) => {
  test("does not lock out a browser that has logged in before, from any address", async () => {
    await using server = await serveAccounts(await openDatabase());
    await createAccounts(server, [owner]);
    const cookie = await becomeKnown(server);
    await guess(server);
    expect(await logIn(server, owner, goodPassword, { address: "203.0.113.8" })).toMatchObject({
      status: 429,
    });
    expect(await logIn(server, owner, goodPassword, { address: "203.0.113.8", cookie })).toMatchObject({
      status: 200,
    });
  });

  test("does not lock out such a browser behind the same address", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { failedLoginPerClient: { points: 5, seconds: 900 } },
    });
    await createAccounts(server, [owner]);
    const cookie = await becomeKnown(server);
    await guess(server, { address: stranger(1) });
    expect(await logIn(server, owner, goodPassword, { address: stranger(1) })).toMatchObject({ status: 429 });
    expect(await logIn(server, owner, goodPassword, { address: stranger(1), cookie })).toMatchObject({
      status: 200,
    });
  });

  test("uses up only the guesses of the browser whose cookie the stranger has", async () => {
    await using server = await serveAccounts(await openDatabase());
    await createAccounts(server, [owner]);
    const [stolen, own] = [await becomeKnown(server), await becomeKnown(server)];
    await guess(server, { cookie: stolen });
    expect(await logIn(server, owner, goodPassword, { cookie: stolen })).toMatchObject({ status: 429 });
    expect(await logIn(server, owner, goodPassword, { cookie: own })).toMatchObject({ status: 200 });
    expect(await logIn(server, owner, goodPassword)).toMatchObject({ status: 200 });
  });

  test("has no more guesses with the cookie of an own account, or a made-up one", async () => {
    await using server = await serveAccounts(await openDatabase());
    await createAccounts(server, [owner, "4242420002"]);
    const cookies = [await becomeKnown(server, "4242420002"), `peerdeck-known=${"A".repeat(65)}`];
    await guess(server);
    for (const cookie of cookies)
      expect(await logIn(server, owner, "a guess", { cookie })).toMatchObject({ status: 429 });
  });
});

describeWithDatabase("a stranger who requests reset mails", { postgres: "campaigns" }, (openDatabase) => {
  const limits = {
    mailPerAsAndClient: { points: 5, seconds: 3600 },
    mailPerAs: { points: 15, seconds: 3600 },
  };

  test("from one address does not keep the owner from requesting one", async () => {
    await using server = await serveAccounts(await openDatabase(), { limits });
    await createAccounts(server, [owner]);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1)
      statuses.push((await requestReset(server, { address: stranger(1) })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await requestReset(server)).toMatchObject({ status: 200 });
    const token = await server.mailedToken(mailAddress);
    expect(await server.post("/api/setPassword", { token, password: "another sentence" })).toMatchObject({
      status: 200,
    });
  });

  test("from many addresses sends a limited number, and does not stop a browser that has logged in before", async () => {
    await using server = await serveAccounts(await openDatabase(), { limits });
    await createAccounts(server, [owner]);
    const cookie = await becomeKnown(server);
    for (let count = 0; count < 20; count += 1) await requestReset(server, { address: stranger(count) });
    expect(await server.mailOutbox.listMails()).toHaveLength(15);
    expect(await requestReset(server, { address: "203.0.113.8" })).toMatchObject({ status: 429 });
    for (const status of [200, 200, 200, 200, 200, 429])
      expect(await requestReset(server, { address: "203.0.113.8", cookie })).toMatchObject({ status });
  });
});

test("servers with one PostgreSQL database count together and know the same clients", async () => {
  await using database = await createTestDatabase(postgresTemplate);
  const at: TestDatabase = { kind: "postgres", url: database.url };
  const limits = { mailPerAsAndClient: { points: 2, seconds: 3600 } };
  await using one = await serveAccounts(at, { limits });
  await using two = await serveAccounts(at, { limits });
  await createAccounts(one, [owner]);
  const cookie = await becomeKnown(one);
  for (let count = 0; count < 5; count += 1) {
    for (const server of [one, two])
      expect(await logIn(server, owner, "a guess", { address: stranger(count) })).toMatchObject({
        status: 401,
      });
  }
  for (const server of [one, two]) {
    expect(await logIn(server, owner, goodPassword)).toMatchObject({ status: 429 });
    expect(await logIn(server, owner, goodPassword, { cookie })).toMatchObject({ status: 200 });
    expect(await requestReset(server)).toMatchObject({ status: 200 });
  }
  for (const server of [one, two]) expect(await requestReset(server)).toMatchObject({ status: 429 });

  const rows = await one.database.db.selectFrom("rate_limits").select("key").execute();
  const clients = rows.map(({ key }) => key).filter((key) => key.startsWith("failedLoginPerClient:"));
  expect(clients.toSorted()).toEqual(
    Array.from({ length: 5 }, (_, index) => `failedLoginPerClient:${stranger(index)}`),
  );
});

describeWithDatabase("the cookie of a known client", { postgres: "campaigns" }, (openDatabase) => {
  test("is given to several AS numbers in one browser", async () => {
    await using server = await serveAccounts(await openDatabase());
    await createAccounts(server, [owner, "4242420002"]);
    const first = await becomeKnown(server);
    const response = await logIn(server, "4242420002", goodPassword, { cookie: first });
    const both = readCookie(response, "peerdeck-known");
    for (const asn of [owner, "4242420002"]) {
      for (let count = 0; count < 11; count += 1)
        await logIn(server, asn, "a guess", { address: stranger(count) });
      expect(await logIn(server, asn, goodPassword, { cookie: both })).toMatchObject({ status: 200 });
    }
  });
});
