/** Registration, reset and login with Kioubit's authentication service. */
import { expect, test } from "vitest";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { blockAccount } from "#server/features/accounts/blocks.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { requestAt } from "../../support/request-at.ts";
import {
  type AccountServer,
  goodPassword,
  isLoggedIn,
  logIn,
  register,
  registerAndLogIn,
  serveAccounts,
} from "./account-server.ts";
import { confirm, respond } from "./kioubit-service.ts";
import {
  asn,
  comeBack,
  comeBackAs,
  serveWithKioubit,
  service,
  start,
  type Visitor,
} from "./kioubit-scene.ts";

/** Comes back for a login that succeeds. Returns the cookies of the browser by name. */
async function logInWithKioubit(server: AccountServer, visitor: Visitor): Promise<Map<string, string>> {
  const params = confirm(asn, visitor.url, server.clock());
  const { headers } = await comeBack(server, visitor, respond(service, params));
  expect(headers.get("location")).toBe("/manager");
  return new Map(headers.getSetCookie().map((set) => set.split(";")[0]?.split("=") as [string, string]));
}

async function readActivity(server: AccountServer, session: Record<string, string>): Promise<string[]> {
  const { body } = await server.post("/api/getActivity", { username: asn }, session);
  return (body as { entries: ActivityEntry[] }).entries.map(({ text }) => text);
}

function setPassword(server: AccountServer, location: string | null) {
  const token = new URL(location ?? "", server.url).searchParams.get("token");
  return server.post("/api/setPassword", { token, password: goodPassword });
}

describeWithDatabase("Kioubit's authentication service", { postgres: "share" }, (openDatabase) => {
  test("a visitor is sent there with a return address and a state that only this browser can use", async () => {
    await using server = await serveWithKioubit(await openDatabase());
    const started = await server.post("/api/startKioubit", { purpose: "login" });
    const { origin, pathname, searchParams } = new URL((started.body as { url: string }).url);
    expect(origin + pathname).toBe("https://kioubit.example.net/auth/");
    expect([...searchParams]).toEqual([
      ["return", "http://peering.example.net/api/kioubit/login"],
      ["token", expect.stringMatching(/^[0-9a-f]{32}$/)],
    ]);
    expect(started.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^peerdeck-challenge=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test("it registers and resets an account, and the holder and the log say how", async () => {
    await using server = await serveWithKioubit(await openDatabase());
    const registration = await start(server, "registration", { entered: "AS 4242420001" });
    const location = await comeBackAs(server, registration);
    expect(location).toMatch(/^\/setPassword\?token=[\w-]{43}&purpose=registration$/);
    expect(await setPassword(server, location)).toMatchObject({ status: 200 });
    const reset = await comeBackAs(server, await start(server, "reset"));
    expect(reset).toMatch(/^\/setPassword\?token=[\w-]{43}&purpose=reset$/);
    expect(await setPassword(server, reset)).toMatchObject({ status: 200 });
    const session = await logIn(server, goodPassword);
    expect(await readActivity(server, session)).toEqual([
      "You logged in. This browser had not logged in before.",
      "A password was set after a proof that the AS is yours. All login sessions ended. The AS was proved with Kioubit's authentication service.",
      "A proof that the AS is yours was accepted, so a password can be set. It was Kioubit's authentication service.",
      "A password was set after a proof that the AS is yours. All login sessions ended. The AS was proved with Kioubit's authentication service.",
      "A proof that the AS is yours was accepted, so a password can be set. It was Kioubit's authentication service.",
    ]);
    // Nothing of the query is in the log.
    expect(server.log.join("\n")).toContain("/api/kioubit/reset");
    expect(server.log.join("\n")).not.toMatch(/signature|user_token|ADA-MNT/);
  });

  test("it logs in without the password, also where it is off, and replaces the browser's login session", async () => {
    await using server = await serveWithKioubit(await openDatabase());
    const session = await registerAndLogIn(server);
    await server.database.db.updateTable("accounts").set({ password_off_at: 1 }).execute();
    const cookies = await logInWithKioubit(server, await start(server, "login"));
    expect([...cookies.keys()].toSorted()).toEqual(["peerdeck", "peerdeck-known"]);
    const second = { cookie: `peerdeck=${cookies.get("peerdeck")}` };
    expect(await isLoggedIn(server, second)).toBe(true);
    expect(await isLoggedIn(server, session)).toBe(true);
    expect((await readActivity(server, second))[0]).toBe(
      "You logged in. It was with Kioubit's authentication service. This browser had not logged in before.",
    );
    const known = `${second.cookie}; peerdeck-known=${cookies.get("peerdeck-known")}`;
    const started = await start(server, "login", { headers: { cookie: known } });
    const again = { ...started, headers: { cookie: `${known}; ${started.headers["cookie"]}` } };
    const third = { cookie: `peerdeck=${(await logInWithKioubit(server, again)).get("peerdeck")}` };
    expect(await isLoggedIn(server, second)).toBe(false);
    expect((await readActivity(server, third)).slice(0, 2).toSorted()).toEqual([
      "You logged in. It was with Kioubit's authentication service.",
      "Your login session ended because its browser logged in again.",
    ]);
  });

  test("the limits of time, extra fields and unencoded plus signs are accepted", async () => {
    await using server = await serveWithKioubit(await openDatabase());
    const now = Math.floor(server.clock() / 1000);
    for (const changes of [{ time: now - 60 }, { time: now + 10 }, { time: now - 0.5 }, { allowed4: "x" }]) {
      const visitor = await start(server, "registration");
      expect(await comeBackAs(server, visitor, changes)).toContain("/setPassword?");
    }
    const visitor = await start(server, "registration");
    // "~~~" and "???" have both characters of Base64 that are not letters or digits.
    const params = { ...confirm(asn, visitor.url, server.clock()), a: "~~~???", b: "x~~~???", c: "xx~~~???" };
    const query = decodeURIComponent(respond(service, params).toString());
    expect(query).toContain("+");
    const { headers } = await comeBack(server, visitor, query);
    expect(headers.get("location")).toContain("/setPassword?");
  });

  test("an account decides what is possible, and no refused login starts a login session", async () => {
    let holder = "ADA-MNT";
    let isReachable = true;
    await using server = await serveWithKioubit(await openDatabase(), {
      registry: { findHolder: async () => holder, refresh: async () => isReachable },
    });
    const { database, clock } = server;
    const comeBackFor = async (purpose: Visitor["purpose"], changes = {}) =>
      comeBackAs(server, await start(server, purpose), changes);
    expect(await comeBackFor("login")).toBe("/login?kioubit=no-account");
    expect(await comeBackFor("reset")).toBe("/forgotPassword?kioubit=no-account");
    expect(await comeBackFor("registration", { asn: "4242429999" })).toBe("/register?kioubit=unknown-as");
    for (const purpose of ["registration", "reset", "login"] as const)
      expect(await comeBackFor(purpose, { asn: "4242422227" })).toContain("?kioubit=own-as");
    await register(server);
    expect(await comeBackFor("registration")).toBe("/register?kioubit=account-exists");
    isReachable = false;
    expect(await comeBackFor("login")).toBe("/login?kioubit=no-registry");
    expect(await comeBackFor("reset")).toBe("/forgotPassword?kioubit=no-registry");
    isReachable = true;
    holder = "EVE-MNT";
    expect(await comeBackFor("login")).toBe("/login?kioubit=holder-changed");
    holder = "ADA-MNT";
    expect(await comeBackFor("login")).toBe("/login?kioubit=holder-changed");
    expect(await comeBackFor("reset")).toBe("/forgotPassword?kioubit=holder-changed");
    await blockAccount({ ...database, clock }, asn, "a test");
    for (const purpose of ["registration", "reset", "login"] as const)
      expect(await comeBackFor(purpose)).toContain("?kioubit=blocked");
    expect(await database.db.selectFrom("login_sessions").selectAll().execute()).toEqual([]);
    expect(await database.db.selectFrom("account_tokens").selectAll().execute()).toEqual([]);
  });

  test("only a navigation uses the response up, and it is neither stored nor a referrer", async () => {
    await using server = await serveWithKioubit(await openDatabase());
    const visitor = await start(server, "registration");
    const query = respond(service, confirm(asn, visitor.url, server.clock())).toString();
    const address = `${server.url}/api/kioubit/registration?${query}`;
    const { headers } = visitor;
    const head = await fetch(address, { method: "HEAD", headers, redirect: "manual" });
    const prefetch = { ...headers, "sec-purpose": "prefetch;prerender" };
    const prefetched = await fetch(address, { headers: prefetch, redirect: "manual" });
    expect([head.status, prefetched.status]).toEqual([405, 405]);
    const opened = await comeBack(server, visitor, query);
    expect(opened.status).toBe(303);
    expect(opened.headers.get("cache-control")).toBe("no-store");
    expect(opened.headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("at another public URL the browser returns there, and only what the service signs for it counts", async () => {
    const host = "peering.example.dn42:8080";
    const urls = { publicUrl: "https://peering.example.net", otherPublicUrls: [`http://${host}`] };
    await using server = await serveWithKioubit(await openDatabase(), urls);
    const body = { purpose: "registration" };
    const started = await requestAt(`${server.url}/api/startKioubit`, { host, body });
    const { url } = (await started.json()) as { url: string };
    expect(new URL(url).searchParams.get("return")).toBe(`http://${host}/api/kioubit/registration`);
    const headers = { cookie: started.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
    const params = confirm(asn, url, server.clock());
    expect(params.domain).toBe(host);
    const open = async (domain: string) => {
      const query = respond(service, { ...params, domain }).toString();
      const opened = await requestAt(`${server.url}/api/kioubit/registration?${query}`, { host, headers });
      return opened.headers.get("location");
    };
    for (const other of ["peering.example.net", "peering.example.dn42:80"])
      expect(await open(other)).toBe("/register?kioubit=other-host");
    // Without the port, since hostnames of public URLs differ.
    expect(await open("peering.example.dn42")).toContain("/setPassword?");
  });

  test("limits, an entered text that is no AS number, and a server without the service", async () => {
    const limits = { proofPerClient: { points: 3, seconds: 60 }, loginPerAs: { points: 1, seconds: 60 } };
    await using server = await serveWithKioubit(await openDatabase(), { limits });
    await register(server);
    await logInWithKioubit(server, await start(server, "login"));
    expect(await comeBackAs(server, await start(server, "login"))).toBe("/login?kioubit=too-many");
    await comeBack(server, await start(server, "registration"), "");
    expect(await comeBackAs(server, await start(server, "registration"))).toBe("/register?kioubit=too-many");
    for (const entered of ["AS0", "4242422227"])
      expect(await server.post("/api/startKioubit", { purpose: "reset", asn: entered })).toMatchObject({
        status: 422,
        body: { field: "asn" },
      });
    expect(await server.post("/api/startKioubit", { purpose: "other" })).toMatchObject({ status: 422 });
    await using without = await serveAccounts(await openDatabase());
    expect(await without.post("/api/startKioubit", { purpose: "login" })).toMatchObject({ status: 404 });
    expect(await without.get("/api/kioubit/login?params=x")).toMatchObject({ status: 404 });
  });
});
