import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountServer, serveAccounts } from "../accounts/account-server.ts";
import { profileServer } from "../server/profile-server.ts";

let server: AccountServer;

beforeAll(async () => {
  server = await serveAccounts(null, {
    publicUrl: "https://peering.example.net",
    handlers: {
      mapVPNStatus: async () => {
        throw new Error("inner detail: /srv/secret, canary");
      },
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

test("an internal error reveals only a number, which is in the log", async () => {
  const { status, body } = await server.get("/api/mapVPNStatus");
  expect(status).toBe(500);
  const { message } = body as { message: string };
  const id = /^Something went wrong on our side\. Please tell support the number ([0-9a-f-]{36})\.$/.exec(
    message,
  )?.[1];
  expect(id).toBeDefined();
  const line = server.log.find((entry) => entry.includes(id ?? "-"));
  expect(line).toContain("inner detail");
});

test.each(["/api/nowhere", "/api/login/more", "/api/__proto__"])("%s is an unknown call", async (path) => {
  const response = await server.get(path);
  expect(response.status).toBe(404);
  expect((response.body as { message: string }).message).toMatch(/^There is no call GET \/api\//);
});

test("a call with another method is unknown", async () => {
  expect(await server.get("/api/login/")).toMatchObject({
    status: 404,
    body: { message: "There is no call GET /api/login/." },
  });
});

test("every response has the security headers", async () => {
  const { headers } = await server.get("/api/auth-status/");
  expect(Object.fromEntries(headers)).toMatchObject({
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
});

test("the profile can require https of all subdomains", async () => {
  const profile = { publicUrl: "https://peering.example.net", hstsIncludeSubdomains: true };
  await using own = await profileServer({}, { profile });
  const { headers } = await fetch(`${own.url}/api/auth-status/`);
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
});

test("a request is logged without its query string", async () => {
  await server.get("/api/auth-status/?token=canary-in-a-query");
  const line = server.log.findLast((entry) => entry.includes('"request"')) ?? "";
  expect(JSON.parse(line)).toMatchObject({ method: "GET", path: "/api/auth-status/", status: 200 });
  expect(server.log.join("\n")).not.toContain("canary-in-a-query");
});
