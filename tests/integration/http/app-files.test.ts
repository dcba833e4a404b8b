import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
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

/** A build whose one asset has this name and holds it. */
async function build(name: string): Promise<string> {
  const web = join(folder, `build-${name}`);
  await mkdir(join(web, "assets"), { recursive: true });
  await writeFile(join(web, "index.html"), page);
  await writeFile(join(web, "assets", name), name);
  return web;
}

test("assets of former builds are served for 30 days", async () => {
  const formerFiles = await mkdtemp(join(folder, "former-"));
  serveApp(await build("one.js"), { formerFiles });
  const former = await serveApp(await build("two.js"), { formerFiles }).request("/assets/one.js");
  expect(former.status).toBe(200);
  expect(former.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(former.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(await former.text()).toBe("one.js");

  const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  await utimes(join(formerFiles, "one.js"), longAgo, longAgo);
  await utimes(join(formerFiles, "two.js"), longAgo, longAgo);
  const later = serveApp(await build("two.js"), { formerFiles });
  expect((await later.request("/assets/one.js")).status).toBe(404);
  expect(await readdir(formerFiles)).toEqual(["two.js"]);
});

test("the oldest former files go when there are too many of them", async () => {
  const formerFiles = await mkdtemp(join(folder, "former-"));
  for (const [name, ageHours] of [
    ["old.js", 2],
    ["new.js", 1],
  ] as const) {
    await writeFile(join(formerFiles, name), Buffer.alloc(30_000_000));
    const at = new Date(Date.now() - ageHours * 3_600_000);
    await utimes(join(formerFiles, name), at, at);
  }
  const served = serveApp(await build("two.js"), { formerFiles });
  expect((await served.request("/assets/new.js")).status).toBe(200);
  expect((await served.request("/assets/old.js")).status).toBe(404);
});

test.each(["/assets/..%2fsecret.txt", "/assets/../secret.txt", "/assets/constructor"])(
  "%s leads nowhere among the former files",
  async (path) => {
    const formerFiles = join(folder, "former");
    const served = serveApp(await build("two.js"), { formerFiles });
    expect((await served.request(`http://localhost${path}`)).status).toBe(404);
  },
);

test("the manifest has the provider's name, and the worker what the page's headers depend on", async () => {
  const web = await build("two.js");
  await writeFile(join(web, "manifest.webmanifest"), '{"name":"Built","short_name":"Built","scope":"/"}');
  await writeFile(join(web, "sw.js"), '[{"revision":"4fd2@headers@","url":"index.html"}]');
  const served = serveApp(web, { name: "Example", headersVersion: "7" });
  expect(await (await served.request("/manifest.webmanifest")).json()).toEqual({
    name: "Example Peering Manager",
    short_name: "Example",
    scope: "/",
  });
  const worker = await served.request("/sw.js");
  expect(worker.headers.get("cache-control")).toBe("no-cache");
  expect(await worker.text()).toBe('[{"revision":"4fd27","url":"index.html"}]');
});
