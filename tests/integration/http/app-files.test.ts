import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveApp } from "#server/site/app-files.ts";

const page = "<!doctype html><title>App</title>";
const script = `console.log(${JSON.stringify("x".repeat(5000))});`;
let folder: string;
let app: Hono;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-app-"));
  await mkdir(join(folder, "web", "assets"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "canary");
  await writeFile(join(folder, "web", "index.html"), page);
  await writeFile(join(folder, "web", "assets", "index-4fd2.js"), script);
  app = serveApp(join(folder, "web"));
});

afterAll(() => rm(folder, { recursive: true }));

test.each(["/", "/setPassword?token=x", "/no/such/screen"])("%s is a screen of the app", async (path) => {
  const response = await app.request(path, { headers: { accept: "text/html" } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  expect(await response.text()).toBe(page);
});

const missingFiles = ["/assets/index-0000.js", "/favicon.ico", "/manager/x.y", "/%E0%A4%A.js"];

test.each(missingFiles)("%s is missing and is not replaced by the page", async (path) => {
  for (const headers of [
    { accept: "*/*" },
    { accept: "*/*", "sec-fetch-mode": "no-cors" },
    { accept: "text/html", "sec-fetch-mode": "cors" },
  ]) {
    const response = await app.request(path, { headers });
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("<");
    expect(response.headers.get("vary")).toBe("accept, sec-fetch-mode");
  }
});

test.each(missingFiles)("a navigation to %s gets the page, which shows that it is unknown", async (path) => {
  for (const headers of [
    { accept: "text/html,*/*;q=0.8" },
    { accept: "*/*", "sec-fetch-mode": "navigate" },
  ]) {
    const response = await app.request(path, { headers });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(page);
    expect(response.headers.get("vary")).toBe("accept, sec-fetch-mode, accept-encoding");
  }
});

test("a file with a hash in its name is immutable", async () => {
  const response = await app.request("/assets/index-4fd2.js");
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(await response.text()).toBe(script);
});

test.each([
  ["br", brotliDecompressSync, "gzip, deflate, br"],
  ["gzip", gunzipSync, "gzip;q=1.0, deflate"],
] as const)("is sent as %s if the browser accepts it", async (encoding, decompress, accepted) => {
  const response = await app.request("/assets/index-4fd2.js", { headers: { "accept-encoding": accepted } });
  expect(response.headers.get("content-encoding")).toBe(encoding);
  expect(response.headers.get("vary")).toBe("accept-encoding");
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.length).toBeLessThan(500);
  expect(decompress(bytes).toString()).toBe(script);
});

test("a file that the browser has cached is not sent again", async () => {
  const first = await app.request("/");
  const again = await app.request("/", { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

test("the folder's path may be written in another form", async () => {
  const same = serveApp(`${folder}/./web/`);
  expect((await same.request("/assets/index-4fd2.js")).status).toBe(200);
});

test("the error for a folder without the app says how to build it", () => {
  expect(() => serveApp(folder)).toThrow("contains no built web app. Run npm ci and npm run build.");
});

/** Writes a build with one asset, whose name is its content. */
async function build(name: string): Promise<string> {
  const web = join(folder, `build-${name}`);
  await mkdir(join(web, "assets"), { recursive: true });
  await writeFile(join(web, "index.html"), page);
  await writeFile(join(web, "assets", name), name);
  return web;
}

test("assets of previous builds are served for 30 days", async () => {
  const previousBuildsDir = await mkdtemp(join(folder, "previous-"));
  serveApp(await build("one.js"), { previousBuildsDir });
  const previous = await serveApp(await build("two.js"), { previousBuildsDir }).request("/assets/one.js");
  expect(previous.status).toBe(200);
  expect(previous.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(previous.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(await previous.text()).toBe("one.js");

  const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  await utimes(join(previousBuildsDir, "one.js"), longAgo, longAgo);
  await utimes(join(previousBuildsDir, "two.js"), longAgo, longAgo);
  const later = serveApp(await build("two.js"), { previousBuildsDir });
  expect((await later.request("/assets/one.js")).status).toBe(404);
  expect(await readdir(previousBuildsDir)).toEqual(["two.js"]);
});

test("the oldest files are deleted when there are too many", async () => {
  const previousBuildsDir = await mkdtemp(join(folder, "previous-"));
  for (const [name, ageHours] of [
    ["old.js", 2],
    ["new.js", 1],
  ] as const) {
    await writeFile(join(previousBuildsDir, name), "");
    await truncate(join(previousBuildsDir, name), 30_000_000);
    const at = new Date(Date.now() - ageHours * 3_600_000);
    await utimes(join(previousBuildsDir, name), at, at);
  }
  const served = serveApp(await build("two.js"), { previousBuildsDir });
  expect((await served.request("/assets/new.js")).status).toBe(200);
  expect((await served.request("/assets/old.js")).status).toBe(404);
});

test.each(["/assets/..%2fsecret.txt", "/assets/../secret.txt", "/assets/constructor"])(
  "%s reveals no file outside the previous builds",
  async (path) => {
    const previousBuildsDir = join(folder, "previous");
    const served = serveApp(await build("two.js"), { previousBuildsDir });
    expect((await served.request(`http://localhost${path}`)).status).toBe(404);
  },
);

test("the manifest contains the provider's name, and the worker the version of the page's headers", async () => {
  const web = await build("two.js");
  await writeFile(join(web, "manifest.webmanifest"), '{"name":"Built","short_name":"Built","scope":"/"}');
  await writeFile(join(web, "sw.js"), '[{"revision":"4fd2@headers@","url":"index.html"}]');
  const served = serveApp(web, { name: "Example", headersVersion: "7" });
  const manifest = await served.request("/manifest.webmanifest");
  expect(manifest.headers.get("content-type")).toBe("application/manifest+json");
  expect(await manifest.json()).toEqual({
    name: "Example Peering Manager",
    short_name: "Example",
    scope: "/",
  });
  const worker = await served.request("/sw.js");
  expect(worker.headers.get("cache-control")).toBe("no-cache");
  expect(await worker.text()).toBe('[{"revision":"4fd27","url":"index.html"}]');
});
