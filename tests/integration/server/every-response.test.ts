/** The headers of every response of the whole server, successful or not. */
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoServer, demoServer } from "./demo-server.ts";

let server: DemoServer;
beforeAll(async () => {
  server = await demoServer();
});
afterAll(() => server[Symbol.asyncDispose]());

interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request without normalising its path, which fetch would do. */
function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const outgoing = request({ hostname, port, method, path, headers, agent: false }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const json = { "content-type": "application/json" };
interface RequestCase {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const requests: readonly RequestCase[] = [
  { status: 200, method: "GET", path: "/" },
  { status: 200, method: "HEAD", path: "/" },
  { status: 200, method: "GET", path: "/setPassword?token=canary" },
  { status: 404, method: "GET", path: "/assets/index-gone.js" },
  { status: 404, method: "POST", path: "/" },
  { status: 404, method: "TRACE", path: "/", headers: { "x-secret": "canary" } },
  { status: 404, method: "TRACE", path: "/api/auth-status/", headers: { "x-secret": "canary" } },
  { status: 200, method: "GET", path: "/healthz" },
  { status: 200, method: "GET", path: "/readyz" },
  { status: 200, method: "GET", path: "/metrics" },
  { status: 200, method: "GET", path: "/provider.json" },
  { status: 200, method: "GET", path: "/api/" },
  { status: 200, method: "GET", path: "/api/openapi.json" },
  { status: 200, method: "GET", path: "/api/auth-status/" },
  { status: 404, method: "GET", path: "/api/nowhere" },
  { status: 401, method: "GET", path: "/api/events" },
  { status: 403, method: "GET", path: "/api/events", headers: { "sec-fetch-site": "cross-site" } },
  { status: 401, method: "POST", path: "/api/getPeerStatus/", headers: json, body: '{"username":"1"}' },
  {
    status: 401,
    method: "POST",
    path: "/api/login/",
    headers: json,
    body: '{"username":"1","password":"canary canary"}',
  },
  {
    status: 403,
    method: "POST",
    path: "/api/logout/",
    headers: { ...json, "sec-fetch-site": "cross-site" },
    body: "{}",
  },
  { status: 413, method: "POST", path: "/api/login/", headers: json, body: "x".repeat(17_000) },
  { status: 415, method: "POST", path: "/api/login/", headers: { "content-type": "text/plain" }, body: "{}" },
  { status: 422, method: "POST", path: "/api/login/", headers: json, body: "{}" },
];

test.each(requests)("$status to $method $path", async ({ status, method, path, headers, body }) => {
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
