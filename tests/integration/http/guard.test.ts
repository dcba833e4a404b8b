import { gzipSync } from "node:zlib";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type AccountServer,
  isLoggedIn,
  registerAndLogIn,
  serveAccounts,
} from "../accounts/account-server.ts";

let server: AccountServer;
let session: Record<string, string>;

beforeAll(async () => {
  server = await serveAccounts(null);
  session = await registerAndLogIn(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const login = JSON.stringify({ username: "4242420001", password: "wrong one here" });

async function send(
  body: RequestInit["body"],
  headers: Readonly<Record<string, string>>,
  path = "/api/login/",
): Promise<{ status: number; body: unknown }> {
  const init = { method: "POST", headers, body, ...(body instanceof ReadableStream && { duplex: "half" }) };
  const response = await fetch(`${server.url}${path}`, init as RequestInit);
  return { status: response.status, body: await response.json() };
}

const json = { "content-type": "application/json" };

test.each<[string, Record<string, string>]>([
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["a sister host", { "sec-fetch-site": "same-site" }],
  ["an old browser on another site", { origin: "https://evil.example.com" }],
  ["a page without an origin", { origin: "null" }],
  ["the same host under another name in front", { origin: "http://peering.example.net.evil.example.com" }],
])("a request from %s is rejected", async (_, headers) => {
  expect(await send(login, { ...json, ...headers })).toEqual({
    status: 403,
    body: { message: "This request came from a page of another site. Nothing was changed." },
  });
});

test.each(["GET", "HEAD"])(
  "a %s request from another site is served, since it changes nothing",
  async (method) => {
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await fetch(`${server.url}/api/auth-status/`, { method, headers })).status).toBe(200);
  },
);

test("a form on another site does not end the login session", async () => {
  const form = { ...session, "content-type": "text/plain", "sec-fetch-site": "cross-site" };
  expect((await send("", form, "/api/logout/")).status).toBe(403);
  expect(await isLoggedIn(server, session)).toBe(true);
});

test.each<[string, Record<string, string>]>([
  ["the app's own page", { "sec-fetch-site": "same-origin" }],
  ["the address bar", { "sec-fetch-site": "none" }],
  ["an old browser on the app's page", { origin: "http://peering.example.net" }],
  ["a client that is not a browser", {}],
])("a request from %s is accepted", async (_, headers) => {
  expect((await send(login, { ...json, ...headers })).status).toBe(401);
});

test("a page on the requested host is accepted, whatever the public URL is", async () => {
  expect((await send(login, { ...json, origin: server.url })).status).toBe(401);
});

test.each<[string, Record<string, string>]>([
  ["text", { "content-type": "text/plain" }],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }],
  ["something like JSON", { "content-type": "application/jsonp" }],
  ["compressed JSON", { ...json, "content-encoding": "gzip" }],
])("%s is rejected", async (_, headers) => {
  expect(await send(login, headers)).toEqual({
    status: 415,
    body: { message: "Send the body as application/json, not compressed. Nothing was changed." },
  });
});

test("a gzip bomb is rejected without decompression", async () => {
  const bomb = Uint8Array.from(gzipSync(Buffer.alloc(10_000_000)));
  expect((await send(bomb, { ...json, "content-encoding": "gzip" })).status).toBe(415);
});

const tooLarge = {
  status: 413,
  body: { message: "The body is larger than 16384 bytes. Nothing was changed." },
};

test("a megabyte is rejected, with and without content-length", async () => {
  const megabyte = JSON.stringify({ username: "4242420001", password: "x".repeat(1_000_000) });
  expect(await send(megabyte, json)).toEqual(tooLarge);
  const chunks = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode("x".repeat(10_000)));
    },
  });
  expect(await send(chunks, json)).toEqual(tooLarge);
});

test("a password of a thousand four-byte characters is accepted", async () => {
  const body = JSON.stringify({ username: "4242420001", password: "🙂".repeat(1024) });
  expect((await send(body, json)).status).toBe(401);
});

test.each([
  ["", 400],
  ["{", 400],
  ["null", 422],
  ["{}", 422],
  ['{"username":["4242420001"],"password":"x"}', 422],
  ['{"__proto__":{"username":"4242420001","password":"x"}}', 422],
  [`${"[".repeat(8000)}${"]".repeat(8000)}`, 422],
])("the body %.40s is rejected with %i", async (body, status) => {
  const response = await send(body, json);
  expect(response).toMatchObject({ status, body: { message: expect.any(String) as string } });
});

test("the last of duplicate keys counts, and a byte order mark is ignored", async () => {
  const twice = '\uFEFF{"username":[],"username":"4242420001","password":"x"}';
  expect((await send(twice, json)).status).toBe(401);
});

test("a __proto__ key in a body changes no object", async () => {
  await send('{"__proto__":{"isAdmin":true},"username":"1","password":"x"}', json);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

test("a call without a request body accepts none or JSON", async () => {
  const bare = await fetch(`${server.url}/api/logout/`, { method: "POST" });
  expect(bare.status).toBe(200);
  expect((await send("null", json, "/api/logout")).status).toBe(200);
});

/** Sends bytes and returns the status of each response until the server closes the connection. */
async function sendBytes(...lines: readonly string[]): Promise<readonly string[]> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(lines.join("\r\n"));
  const received = await text(socket);
  return Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status = ""]) => status);
}

// Two programs in a row could read these bytes as different requests.
test.each([
  ["a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"]],
  ["chunks in another coding", ["Transfer-Encoding: chunked, identity"]],
  ["a space before the colon", ["Content-Length : 49"]],
])("a request with %s is rejected, and nothing after it is read", async (_, headers) => {
  const request = ["POST /api/logout/ HTTP/1.1", "Host: x", ...headers, "", "0", "", ""];
  const hidden = ["GET /api/auth-status/ HTTP/1.1", "Host: x", "", ""];
  expect(await sendBytes(...request, ...hidden)).toEqual(["400"]);
});

test.each([
  ["two hosts", "/", ["Host: a", "Host: b"]],
  ["the same host twice", "/", ["Host: a", "host: a"]],
  ["a list of hosts", "/", ["Host: a, b"]],
  ["a host with a path", "/", ["Host: a/b"]],
  ["an empty host", "/", ["Host:"]],
  ["no host", "/", []],
  ["another host in its target", "http://b/", ["Host: a"]],
  ["two lengths", "/", ["Host: a", "Content-Length: 0", "Content-Length: 5"]],
  ["two codings", "/", ["Host: a", "Transfer-Encoding: chunked", "Transfer-Encoding: identity"]],
  ["two cookies", "/", ["Host: a", "Cookie: session=x", "Cookie: session=y"]],
  ["two origins", "/", ["Host: a", "Origin: http://a", "Origin: http://b"]],
  ["two sites", "/", ["Host: a", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"]],
  ["two content types", "/", ["Host: a", "Content-Type: application/json", "Content-Type: text/plain"]],
  ["two authorizations", "/", ["Host: a", "Authorization: Basic eA==", "Authorization: Basic eQ=="]],
])("a request with %s is rejected", async (_, target, headers) => {
  const path = `${target}api/auth-status/`;
  expect(await sendBytes(`GET ${path} HTTP/1.1`, ...headers, "Connection: close", "", "")).toEqual(["400"]);
});

test.each([
  ["a host in its target, as a proxy may send it", "http://a:80/", ["Host: A"]],
  ["an address as host", "/", ["Host: [::1]:4242"]],
  [
    "two X-Forwarded-For headers, which are one list",
    "/",
    ["Host: a", "X-Forwarded-For: ::1", "X-Forwarded-For: ::2"],
  ],
])("a request with %s is accepted", async (_, target, headers) => {
  const path = `${target}api/auth-status/`;
  expect(await sendBytes(`GET ${path} HTTP/1.1`, ...headers, "Connection: close", "", "")).toEqual(["200"]);
});

test("pipelined requests are answered in their order, and of too many the connection ends", async () => {
  const request = "GET /api/none HTTP/1.1\r\nHost: a\r\n";
  const few = Array<string>(20).fill(request);
  expect(
    await sendBytes(...few, "GET /api/auth-status/ HTTP/1.1", "Host: a", "Connection: close", "", ""),
  ).toEqual([...few.map(() => "404"), "200"]);
  const many = Array<string>(200).fill(request);
  const statuses = await sendBytes(...many, "").catch(() => []);
  expect(statuses.length).toBeLessThan(many.length);
});
