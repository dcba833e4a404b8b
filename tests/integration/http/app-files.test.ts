import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveApp } from "../../../src/server/http/app-files.ts";

const page = "<!doctype html><title>App</title>";
const script = `console.log(${JSON.stringify("x".repeat(5000))});`;
let folder: string;
let app: Hono;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-app-"));
  await mkdir(join(folder, "web", "assets"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "canary");
  await writeFile(join(folder, "web", "index.html"), page);
  await writeFile(join(folder, "web", "manifest.webmanifest"), "{}");
  await writeFile(join(folder, "web", "assets", "index-4fd2.js"), script);
  app = serveApp(join(folder, "web"));
});

afterAll(() => rm(folder, { recursive: true }));

test.each(["/", "/login", "/manager/updatepeer/new", "/setPassword?token=x", "/no/such/screen"])(
  "%s is a screen of the app",
  async (path) => {
    const answer = await app.request(path, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(await answer.text()).toBe(page);
  },
);

test.each(["/assets/index-0000.js", "/assets/x", "/missing.png", "/favicon.ico", "/index.html/x.js"])(
  "%s is missing, and no page in its place",
  async (path) => {
    const answer = await app.request(path, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("<");
  },
);

test.each([
  "/../secret.txt",
  "/..%2fsecret.txt",
  "/%2e%2e/secret.txt",
  "/assets/..%2f..%2fsecret.txt",
  "/assets/..\\..\\secret.txt",
  "//secret.txt",
  `/${"../".repeat(9)}etc/passwd`,
])("%s leads nowhere", async (path) => {
  const answer = await app.request(`http://localhost${path}`);
  expect(await answer.text()).not.toMatch(/canary|root:/);
});

test("what has a hash in its name is kept for ever", async () => {
  const answer = await app.request("/assets/index-4fd2.js");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(await answer.text()).toBe(script);
});

test("the manifest has its own type", async () => {
  const answer = await app.request("/manifest.webmanifest");
  expect(answer.headers.get("content-type")).toBe("application/manifest+json");
});

test.each([
  ["br", brotliDecompressSync, "gzip, deflate, br"],
  ["gzip", gunzipSync, "gzip;q=1.0, deflate"],
] as const)("is sent as %s where the browser takes it", async (encoding, decompress, accepted) => {
  const answer = await app.request("/assets/index-4fd2.js", { headers: { "accept-encoding": accepted } });
  expect(answer.headers.get("content-encoding")).toBe(encoding);
  expect(answer.headers.get("vary")).toBe("accept-encoding");
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBeLessThan(500);
  expect(decompress(bytes).toString()).toBe(script);
});

test("what the browser has already is not sent again", async () => {
  const first = await app.request("/");
  const again = await app.request("/", { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

test("a folder named in another way is the same folder", async () => {
  const same = serveApp(`${folder}/./web/`);
  expect((await same.request("/assets/index-4fd2.js")).status).toBe(200);
});

test("a folder without the app says how to build it", () => {
  expect(() => serveApp(folder)).toThrow("holds no built web app; run: npm run build");
});
