import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Context, Hono, type HonoRequest } from "hono";
import type { Logger } from "pino";
import { MissingBuildError } from "./missing-build-error.ts";
import { archiveBuild } from "./previous-builds.ts";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};
const compressible = /^(?:text\/|application\/|image\/svg)/;
const immutable = "public, max-age=31536000, immutable";

interface File {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
}

export interface AppFilesOptions {
  /** The app's name in the manifest; default the name in the build. */
  readonly name?: string;
  /**
   * Changes with the security headers. A service worker caches the page with its headers, so new headers need a worker
   * with another list of files.
   */
  readonly headersVersion?: string;
  /** The folder for files of previous builds; without it they are not stored. */
  readonly previousBuildsDir?: string;
  readonly log?: Pick<Logger, "warn">;
}

/** A placeholder in the worker's list of files, after the page's revision (vite.config.ts). */
const headersPlaceholder = "@headers@";

/**
 * Serves the built web app from memory. Only files that existed at the start are served, so no path leads outside the
 * folder. Hashed assets are immutable for browsers. Any other path without an extension is a screen of the app and gets
 * the page. A missing file is 404 for a script, an image or `fetch`. For a navigation it is the page, which leads to
 * `/not-found` as for every unknown path. Assets of previous builds are still served.
 */
export function serveApp(folder: string, options: AppFilesOptions = {}): Hono {
  const files = readFiles(folder, options);
  const findPrevious = findInPreviousBuilds(folder, options);
  const app = new Hono();
  app.get("*", async (context) => {
    const path = context.req.path === "/" ? "/index.html" : context.req.path;
    const file = files.get(path) ?? findPrevious(path);
    if (file) return respond(context, file);
    const page = files.get("/index.html");
    const isFile = hasFileName(path);
    if (isFile) context.header("vary", "accept, sec-fetch-mode");
    if (!page || (isFile && !isNavigation(context.req))) return context.text("File not found.\n", 404);
    return respond(context, page);
  });
  return app;
}

function hasFileName(path: string): boolean {
  return /\.[^/]*$/.test(path) || path.startsWith("/assets/");
}

/** Whether the browser is going to show the response as a page. Browsers older than Fetch Metadata only say what they accept. */
function isNavigation(request: HonoRequest): boolean {
  const mode = request.header("sec-fetch-mode");
  return mode === undefined ? request.header("accept")?.includes("text/html") === true : mode === "navigate";
}

/** Compressed files, by encoding and content. All servers of a process share them, such as those of tests. */
const encoded = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

async function respond(context: Context, file: File) {
  context.header("cache-control", file.cacheControl);
  context.header("etag", file.etag);
  context.header("vary", "accept-encoding", { append: true });
  if (context.req.header("if-none-match") === file.etag) return context.body(null, 304);
  context.header("content-type", file.type);
  const encoding = compressible.test(file.type)
    ? chooseEncoding(context.req.header("accept-encoding") ?? "")
    : null;
  if (!encoding) return context.body(file.bytes);
  context.header("content-encoding", encoding);
  const key = `${encoding} ${file.etag}`;
  const bytes = encoded.get(key) ?? encoders[encoding](file.bytes);
  encoded.set(key, bytes);
  return context.body(await bytes);
}

type Encoding = "br" | "gzip";

function chooseEncoding(accepted: string): Encoding | null {
  const names = new Set(accepted.split(",").map((entry) => entry.trim().split(";")[0]));
  return (["br", "gzip"] as const).find((encoding) => names.has(encoding)) ?? null;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** The highest quality takes a second for the largest file. This one is almost free and a few per cent larger. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const encoders: Readonly<
  Record<Encoding, (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>>
> = {
  br: async (bytes) => Uint8Array.from(await brotli(bytes, brotliQuality)),
  gzip: async (bytes) => Uint8Array.from(await zip(bytes, { level: 9 })),
};

function readFiles(folder: string, options: AppFilesOptions): ReadonlyMap<string, File> {
  if (!existsSync(join(folder, "index.html"))) {
    throw new MissingBuildError(`${folder} contains no built web app. Run npm ci and npm run build.`);
  }
  const files = new Map<string, File>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const location = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, location).split(sep).join("/")}`;
    files.set(path, createFile(path, adapt(path, readFileSync(location), options)));
  }
  return files;
}

function createFile(path: string, bytes: Uint8Array): File {
  return {
    bytes: Uint8Array.from(bytes),
    type: types[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    cacheControl: path.startsWith("/assets/") ? immutable : "no-cache",
  };
}

/** Adapts the two files that differ between providers. */
function adapt(path: string, bytes: Buffer, { name, headersVersion }: AppFilesOptions): Buffer {
  if (path === "/sw.js" && headersVersion !== undefined)
    return Buffer.from(bytes.toString().replace(headersPlaceholder, headersVersion));
  if (path === "/manifest.webmanifest" && name !== undefined) {
    const built = JSON.parse(bytes.toString()) as Record<string, unknown>;
    return Buffer.from(JSON.stringify({ ...built, name: `${name} Peering Manager`, short_name: name }));
  }
  return bytes;
}

/** Files of previous builds are requested rarely, so they are read on each request. */
function findInPreviousBuilds(folder: string, options: AppFilesOptions): (path: string) => File | undefined {
  const stored = storeBuild(join(folder, "assets"), options);
  return (path) => {
    const location = path.startsWith("/assets/") ? stored.get(path.slice("/assets/".length)) : undefined;
    return location === undefined ? undefined : createFile(path, readFileSync(location));
  };
}

/** Stores the assets of this build. If that fails, such as on a full or read-only disk, the server starts without them. */
function storeBuild(
  assets: string,
  { previousBuildsDir, log }: AppFilesOptions,
): ReadonlyMap<string, string> {
  if (previousBuildsDir === undefined) return new Map();
  try {
    const built = readdirSync(assets, { withFileTypes: true }).filter((entry) => entry.isFile());
    return archiveBuild(
      built.map(({ name }) => join(assets, name)),
      previousBuildsDir,
      new Date(),
    );
  } catch (error) {
    log?.warn(
      { err: error },
      "the files of this build cannot be stored for pages that stay open after the next update",
    );
    return new Map();
  }
}
