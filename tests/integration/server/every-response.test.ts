/** The headers of every response of the whole server, successful or not. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoServer, demoServer } from "./demo-server.ts";

let server: DemoServer;
beforeAll(async () => {
  server = await demoServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string>>;

/** Sends a request without normalising its path, which fetch would do. */
async function send(method: string, path: string, headers: Headers = {}, body = "") {
  const { hostname, port } = new URL(server.url);
  const outgoing = request({ hostname, port, method, path, headers, agent: false }).end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: await text(incoming) };
}

const json = { "content-type": "application/json" };
const fromOtherSite = { ...json, "sec-fetch-site": "cross-site" };
const secret = { "x-secret": "canary" };

const requests: ReadonlyArray<
  readonly [status: number, method: string, path: string, headers?: Headers, body?: string]
> = [
  [200, "GET", "/"],
  [200, "HEAD", "/"],
  [200, "GET", "/setPassword?token=canary"],
  [404, "GET", "/assets/index-gone.js"],
  [404, "GET", "/metrics"],
  [404, "POST", "/"],
  [404, "TRACE", "/", secret],
  [404, "TRACE", "/api/auth-status/", secret],
  [200, "GET", "/healthz"],
  [200, "GET", "/readyz"],
  [200, "GET", "/provider.json"],
  [200, "GET", "/api/"],
  [200, "GET", "/api/openapi.json"],
  [200, "GET", "/api/auth-status/"],
  [404, "GET", "/api/nowhere"],
  [401, "GET", "/api/events"],
  [403, "GET", "/api/events", fromOtherSite],
  [401, "POST", "/api/getPeerStatus/", json, '{"username":"1"}'],
  [401, "POST", "/api/login/", json, '{"username":"1","password":"canary canary"}'],
  [403, "POST", "/api/logout/", fromOtherSite, "{}"],
  [413, "POST", "/api/login/", json, "x".repeat(17_000)],
  [415, "POST", "/api/login/", { "content-type": "text/plain" }, "{}"],
  [422, "POST", "/api/login/", json, "{}"],
];

for (const [status, method, path, headers, body] of requests)
  test(`${status} to ${method} ${path}`, async () => {
    const response = await send(method, path, headers, body);
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; script-src 'self'(?: 'sha256-[^']+')*; /,
      ),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
    });
    if (path.startsWith("/api/")) expect(response.headers["cache-control"]).toBe("no-store");
    else expect(response.headers["cache-control"] ?? "").not.toMatch(/public/);
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
    expect(response.headers["x-powered-by"]).toBeUndefined();
    expect(response.text).not.toContain("canary");
  });

test.each([
  "/../../../../etc/passwd",
  "/..%2f..%2f..%2fetc%2fpasswd",
  "/assets/../../package.json",
  "/assets/%2e%2e/%2e%2e/package.json",
  "/assets/..\\..\\package.json",
  "//etc/passwd",
  "/%00/etc/passwd",
  "/index.html%00.js",
])("the path %s on the wire leads to no file", async (path) => {
  const response = await send("GET", path);
  expect(response.text).not.toMatch(/root:|"peerdeck"/);
  expect([200, 400, 404]).toContain(response.status);
  // The response is the app's page or empty.
  if (response.status !== 200) expect(response.text).not.toContain("<");
  else expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
});
