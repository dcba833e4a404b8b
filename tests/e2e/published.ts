/** The demo behind a web address whose app is exchanged as an update exchanges it, and versions of the built app. */
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { proxy } from "hono/proxy";
import { type AppFilesOptions, serveApp } from "../../src/server/http/app-files.ts";
import { securityHeaders } from "../../src/server/http/headers.ts";
import { inlineScripts } from "../../src/server/http/inline-scripts.ts";
import { type DemoServer, demoServer, type DemoServerOptions } from "../integration/server/demo-server.ts";
import { repository } from "../setup/repository.ts";

export interface PublishedApp extends AsyncDisposable {
  readonly url: string;
  readonly demo: DemoServer;
  /** From now on the app's files come from this folder. */
  readonly publish: (folder: string, options?: AppFilesOptions) => void;
}

/** The calls go to a demo of its own, the files are served by the server's own code. */
export async function publishedApp(folder: string, options?: DemoServerOptions): Promise<PublishedApp> {
  const demo = await demoServer(options);
  let files = serveApp(folder);
  const app = new Hono();
  // Versions differ in their files, not in the page's own script.
  app.use(securityHeaders({ secure: false, scripts: inlineScripts(folder) }));
  const pass = ({ req }: Context) => {
    const { pathname, search } = new URL(req.url);
    return proxy(`${demo.url}${pathname}${search}`, { raw: req.raw });
  };
  app.all("/api/*", pass);
  app.all("/demo/*", pass);
  app.get("/provider.json", pass);
  app.all("*", ({ req }) => files.fetch(req.raw));
  const server = createAdaptorServer({ fetch: app.fetch }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the app has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    demo,
    publish: (next, adapted) => {
      files = serveApp(next, adapted);
    },
    async [Symbol.asyncDispose]() {
      if ("closeAllConnections" in server) server.closeAllConnections();
      server.close();
      await demo[Symbol.asyncDispose]();
    },
  };
}

export const builtApp = path.join(repository, "build/web");

export interface Version extends AsyncDisposable {
  readonly folder: string;
}

export interface VersionOptions {
  /** Put before the entry's own script. */
  readonly entryBegins?: string;
  /** Put before the service worker's own script. */
  readonly workerBegins?: string;
  /** Beginnings of the names of files that are not there, although they should be. */
  readonly missing?: readonly string[];
}

/** The built app as another build would be, every script under another name. Its pages carry `data-version`. */
export async function version(
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
