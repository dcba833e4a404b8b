/** A site on the internet and, over plain HTTP, inside the network: which of its hosts a request used, and what follows. */
import { expect, test } from "vitest";
import { livePath } from "#contract/live-events.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { announceNotice, writeNotice } from "#server/features/accounts/notices/notice-store.ts";
import { type TestDatabase, describeWithDatabase } from "../../support/databases.ts";
import { requestAt } from "../../support/request-at.ts";
import { type AccountServer, goodPassword, serveAccounts } from "../accounts/account-server.ts";
import { profileServer } from "../server/profile-server.ts";

const outer = "peering.example.net";
const inner = "peering.example.dn42";
const urls = { publicUrl: `https://${outer}`, otherPublicUrls: [`http://${inner}`] } as const;

const username = "4242420001";
const clientHeaders = { "x-forwarded-for": "198.51.100.77" };

type Headers = Readonly<Record<string, string>>;

const serve = (at: TestDatabase | null) => serveAccounts(at, urls);

function post(server: AccountServer, host: string, path: string, body: unknown, headers: Headers = {}) {
  return requestAt(`${server.url}${path}`, { host, body, headers: { ...clientHeaders, ...headers } });
}

/** Requests a link at a host, and returns the mail's link. */
async function requestLink(server: AccountServer, host: string, isReset: boolean, headers: Headers = {}) {
  const known = new Set((await server.mailOutbox.listMails()).map(({ text }) => text));
  const body = { asn: username, ...(isReset && { password_reset: "Yes" }) };
  expect((await post(server, host, "/api/sendEmailVerification", body, headers)).status).toBe(200);
  const mail = (await server.mailOutbox.listMails()).find(({ text }) => !known.has(text));
  return new URL(/^https?:\S+$/m.exec(mail?.text ?? "")?.[0] ?? "none:");
}

async function setPassword(server: AccountServer, host: string, link: URL): Promise<void> {
  const body = { token: link.searchParams.get("token"), password: goodPassword };
  expect((await post(server, host, "/api/setPassword", body)).status).toBe(200);
}

/** Logs in at a host, and returns the login cookie as the browser got it. */
async function logIn(server: AccountServer, host: string): Promise<string> {
  const response = await post(server, host, "/api/login/", { username, password: goodPassword });
  expect(response.status).toBe(200);
  return response.headers.getSetCookie()[0] ?? "";
}

const cookieOf = (setCookie: string) => setCookie.split(";")[0] ?? "";

async function isLoggedIn(server: AccountServer, host: string, cookie: string): Promise<boolean> {
  const response = await requestAt(`${server.url}/api/auth-status/`, { host, headers: { cookie } });
  return ((await response.json()) as { readonly isAuthenticated: boolean }).isAuthenticated;
}

/** Hosts that are none of the site's, and headers with which a client or a proxy names another one. */
const forgeries: ReadonlyArray<readonly [host: string, headers?: Headers]> = [
  ["evil.example"],
  [`${inner}.evil.example`],
  [`evil-${inner}`],
  [`${inner}:8080`],
  [`${inner}:443`],
  [`${inner}.`],
  [outer, { "x-forwarded-host": "evil.example" }],
  [outer, { "x-forwarded-host": inner, forwarded: `host=${inner}`, "x-forwarded-proto": "http" }],
  [outer, { origin: `https://${outer}`, referer: `http://${inner}/` }],
];

describeWithDatabase("with a second host", { postgres: "share" }, (openDatabase) => {
  test("login sessions of both hosts are side by side, and each cookie counts at its own", async () => {
    await using server = await serve(await openDatabase());
    const link = await requestLink(server, inner, false);
    expect(link.origin).toBe(`http://${inner}`);
    await setPassword(server, outer, link);

    const [secure, plain] = [await logIn(server, outer), await logIn(server, inner.toUpperCase())];
    expect(secure).toMatch(/^__Host-peerdeck=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(plain).toMatch(/^peerdeck=[\w-]{43}; .*Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await isLoggedIn(server, outer, cookieOf(secure))).toBe(true);
    expect(await isLoggedIn(server, `${inner}:80`, cookieOf(plain))).toBe(true);
    expect(await isLoggedIn(server, outer, cookieOf(plain))).toBe(false);
    expect(await isLoggedIn(server, inner, cookieOf(secure))).toBe(false);

    // Even a browser that sends both ends only the login session of the host.
    const both = `${cookieOf(secure)}; ${cookieOf(plain)}`;
    const logout = await post(server, inner, "/api/logout/", null, { cookie: both });
    expect(logout.headers.getSetCookie()).toEqual([expect.stringMatching(/^peerdeck=; (?!.*Secure)/)]);
    expect(await isLoggedIn(server, inner, cookieOf(plain))).toBe(false);
    expect(await isLoggedIn(server, outer, cookieOf(secure))).toBe(true);
  });

  test("a mailed link leads to the host where it was requested, of a forged one to the main host", async () => {
    await using server = await serve(await openDatabase());
    await setPassword(server, inner, await requestLink(server, outer, false));
    expect((await requestLink(server, inner, true)).href).toMatch(
      /^http:\/\/peering\.example\.dn42\/setPassword\?token=/,
    );
    for (const [host, headers] of forgeries) {
      const { origin } = await requestLink(server, host, true, headers);
      expect([host, headers, origin]).toEqual([host, headers, urls.publicUrl]);
    }
    for (const { text } of await server.mailOutbox.listMails()) expect(text).not.toContain("evil");
  });

  test("a notice leads to the host where the change was made, if the profile still has it", async () => {
    await using server = await serve(await openDatabase());
    await setPassword(server, inner, await requestLink(server, inner, false));
    await setPassword(server, inner, await requestLink(server, inner, true));
    await logIn(server, outer);
    // The first login of an account is not reported.
    await logIn(server, outer);
    await logIn(server, "evil.example");
    const readNotices = async () =>
      (await server.mailOutbox.listMails()).flatMap(({ subject, text }) =>
        /^(?:Password reset|New login)/.test(subject)
          ? [`${subject.slice(0, 9)} ${/^https?:\S+$/m.exec(text)?.[0]}`]
          : [],
      );
    await expect
      .poll(async () => (await readNotices()).toSorted())
      .toEqual([
        `New login https://${outer}/forgotPassword`,
        `New login https://${outer}/forgotPassword`,
        `Password  http://${inner}/forgotPassword`,
      ]);
    const origin = {
      ...noOrigin,
      clientAddress: "",
      userAgent: null,
      publicUrl: "http://former.example.net",
    };
    const { db, events } = server.database;
    await writeNotice(db, { asn: username, kind: "newClient", at: Date.now() }, origin);
    await announceNotice(events, username);
    await expect.poll(async () => (await readNotices()).length).toBe(4);
    expect((await readNotices()).join("\n")).not.toContain("former");
  });
});

test.each<[status: number, host: string, headers: Headers]>([
  [401, outer, { origin: `https://${outer}` }],
  [401, inner, { origin: `http://${inner}` }],
  [401, inner, {}],
  [401, inner, { "sec-fetch-site": "same-origin", origin: `http://${inner}` }],
  [403, inner, { origin: `https://${outer}` }],
  [403, outer, { origin: `http://${inner}` }],
  [403, outer, { "sec-fetch-site": "cross-site", origin: `http://${inner}` }],
  [403, inner, { origin: `https://${inner}` }],
  [403, outer, { origin: `http://${outer}` }],
  [403, inner, { origin: `http://${inner}:8080` }],
  [403, inner, { origin: "null" }],
  [401, "127.0.0.1:4242", { origin: `https://${outer}` }],
  [403, "127.0.0.1:4242", { origin: `http://${inner}` }],
])("status %i for a change at %s with %o", async (status, host, headers) => {
  await using server = await serve(null);
  const body = { username, password: "wrong one here" };
  expect((await post(server, host, "/api/login/", body, headers)).status).toBe(status);
});

test("a host has the headers, the facts and the description of its own URL", async () => {
  await using server = await profileServer({}, { profile: urls });
  const get = (host: string, path: string, headers: Headers = {}) =>
    requestAt(`${server.url}${path}`, { host, headers });
  const readJson = async (host: string, path: string) => (await get(host, path)).json() as Promise<object>;

  for (const [host, url, cookie] of [
    [outer, `https://${outer}`, "__Host-peerdeck"],
    [inner, `http://${inner}`, "peerdeck"],
    ["evil.example", `https://${outer}`, "__Host-peerdeck"],
  ] as const) {
    for (const path of ["/", "/login", "/api/auth-status/", "/readyz"]) {
      const { headers } = await get(host, path);
      const hsts = url.startsWith("https:") ? "max-age=31536000" : null;
      expect([path, headers.get("strict-transport-security")]).toEqual([path, hsts]);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).not.toContain("upgrade-insecure-requests");
    }
    expect(await readJson(host, "/provider.json")).toMatchObject({ public_url: url });
    const both = [{ url: `https://${outer}` }, { url: `http://${inner}` }];
    expect(await readJson(host, "/api/openapi.json")).toMatchObject({
      servers: host === inner ? both.toReversed() : both,
      components: { securitySchemes: { cookie: { name: cookie } } },
    });
  }
  expect((await get(inner, livePath, { origin: `https://${outer}` })).status).toBe(403);
  expect((await get(inner, livePath, { origin: `http://${inner}` })).status).toBe(401);
});
