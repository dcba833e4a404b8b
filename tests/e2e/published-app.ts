/** Serves the demo with an app that the test can replace, as an update does, and creates versions of the built app. */
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { proxy } from "hono/proxy";
import { type AppFilesOptions, serveApp } from "../../src/server/site/app-files.ts";
import { hashInlineScripts, securityHeaders } from "../../src/server/site/security-headers.ts";
import { type DemoServer, demoServer, type DemoServerOptions } from "../integration/server/demo-server.ts";
import { demoProfile } from "../integration/server/profile-server.ts";
import { listenLocally, type LocalServer } from "./local-server.ts";
import { repository } from "../support/repository.ts";

export interface PublishedApp extends LocalServer {
  readonly demo: DemoServer;
  /** Replaces the app's files by those of this folder. */
  readonly publish: (folder: string, options?: AppFilesOptions) => void;
}

/** A version is read from its folder once, although every test publishes it again. */
const served = new Map<string, Hono>();

function serveOnce(folder: string, options: AppFilesOptions = {}): Hono {
  const key = JSON.stringify([folder, options]);
  const files = served.get(key) ?? serveApp(folder, options);
  served.set(key, files);
  return files;
}

function withoutEncoding(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete("accept-encoding");
  return headers;
}

/** Starts a demo for the calls. The server's own code serves the files. */
export async function startPublishedApp(folder: string, options?: DemoServerOptions): Promise<PublishedApp> {
  const demo = await demoServer(options);
  let files = serveOnce(folder);
  const app = new Hono();
  // Versions differ in their files, not in the page's inline script.
  app.use(securityHeaders({ urls: demoProfile, scripts: hashInlineScripts(folder) }));
  const pass = ({ req }: Context) => {
    const { pathname, search } = new URL(req.url);
    return proxy(`${demo.url}${pathname}${search}`, { raw: req.raw });
  };
  app.all("/api/*", pass);
  app.all("/demo/*", pass);
  app.get("/provider.json", pass);
  // Compressing every version would take as long as loading it.
  app.all("*", ({ req }) =>
    files.fetch(new Request(req.raw.url, { headers: withoutEncoding(req.raw.headers) })),
  );
  const server = await listenLocally(createAdaptorServer({ fetch: app.fetch }) as Server);
  return {
    url: server.url,
    demo,
    publish: (next, adapted) => {
      files = serveOnce(next, adapted);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await demo[Symbol.asyncDispose]();
    },
  };
}

export const builtApp = path.join(repository, "build/web");

export interface Version extends AsyncDisposable {
  readonly folder: string;
}

export interface VersionOptions {
  /** Code inserted at the start of the entry script. */
  readonly entryBegins?: string;
  /** Code inserted at the start of the service worker. */
  readonly workerBegins?: string;
  /** Prefixes of the names of files to delete. */
  readonly missing?: readonly string[];
}

/** Copies the built app as another build, with a new name for every script. Its pages have `data-version`. */
export async function createVersion(
  number: number,
  { entryBegins = "", workerBegins = "", missing = [] }: VersionOptions = {},
): Promise<Version> {
  const folder = await mkdtemp(path.join(tmpdir(), `peerdeck-v${number}-`));
  await cp(builtApp, folder, { recursive: true });
  const inFolder = (name: string) => path.join(folder, name);
  const scripts = (await readdir(inFolder("assets"))).filter((name) => name.endsWith(".js"));
  const renamed = (text: string) =>
    scripts.reduce((before, name) => before.replaceAll(name, name.replace(/\.js$/, `-v${number}.js`)), text);
  const edit = async (name: string, change: (text: string) => string) =>
    writeFile(inFolder(name), change(await readFile(inFolder(name), "utf8")));
  await edit("index.html", renamed);
  await edit("sw.js", (text) => workerBegins + renamed(text).replace("@headers@", `-v${number}@headers@`));
  for (const name of scripts) {
    await edit(`assets/${name}`, renamed);
    await rename(inFolder(`assets/${name}`), inFolder(`assets/${renamed(name)}`));
  }
  const entry = /src="\/(assets\/[^"]+)"/.exec(await readFile(inFolder("index.html"), "utf8"))?.[1] ?? "";
  await edit(entry, (text) => `document.documentElement.dataset.version="${number}";${entryBegins}${text}`);
  for (const beginning of missing) {
    const found = scripts.find((name) => name.startsWith(beginning)) ?? "";
    await rm(inFolder(`assets/${renamed(found)}`));
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
