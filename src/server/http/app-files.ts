import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Context, Hono } from "hono";
import type { Logger } from "pino";
import { keepFormerFiles } from "./former-files.ts";

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
const forever = "public, max-age=31536000, immutable";

interface File {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
}

export interface AppFilesOptions {
  /** For the manifest: what the app is called on a device; the build's own name unless given. */
  readonly name?: string;
  /**
   * Changes with the headers of our pages. A service worker keeps the page together with its headers, so a worker
   * with another list of files is what brings new ones to it.
   */
  readonly headersVersion?: string;
  /** A folder for the files of former builds; they are not kept unless given. */
  readonly formerFiles?: string;
  readonly log?: Pick<Logger, "warn">;
}

/** Stands in the worker's list of files, behind the page's own revision (vite.config.ts). */
const headersMark = "@headers@";

/**
 * The built web app, held in memory since it is small. Only files that were there at start exist, so no path
 * leads anywhere else. Hashed assets are kept for ever by browsers; any other path without an extension is a
 * screen of the app and gets its page, and a missing file is 404, never the page. Assets of former builds are
 * still served.
 */
export function serveApp(folder: string, options: AppFilesOptions = {}): Hono {
  const files = readFiles(folder, options);
  const former = readFormer(folder, options);
  const encoded = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const app = new Hono();
  app.get("*", async (context) => {
    const path = context.req.path === "/" ? "/index.html" : context.req.path;
    const file = files.get(path) ?? former(path) ?? (isScreen(path) ? files.get("/index.html") : undefined);
    if (!file) return context.text("There is no such file.\n", 404);
    return answer(context, file, encoded);
  });
  return app;
}

function isScreen(path: string): boolean {
  return extname(path) === "" && !path.startsWith("/assets/");
}

async function answer(context: Context, file: File, encoded: Map<string, Promise<Uint8Array<ArrayBuffer>>>) {
  context.header("cache-control", file.cacheControl);
  context.header("etag", file.etag);
  context.header("vary", "accept-encoding");
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
/** The highest quality takes a second for our largest file; this one is as good as free and a few per cent larger. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const encoders: Readonly<
  Record<Encoding, (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>>
> = {
  br: async (bytes) => Uint8Array.from(await brotli(bytes, brotliQuality)),
  gzip: async (bytes) => Uint8Array.from(await zip(bytes, { level: 9 })),
};

function readFiles(folder: string, options: AppFilesOptions): ReadonlyMap<string, File> {
  const files = new Map<string, File>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const location = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, location).split(sep).join("/")}`;
    files.set(path, fileOf(path, adapt(path, readFileSync(location), options)));
  }
  if (!files.has("/index.html")) throw new Error(`${folder} holds no built web app; run: npm run build`);
  return files;
}

function fileOf(path: string, bytes: Uint8Array): File {
  return {
    bytes: Uint8Array.from(bytes),
    type: types[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    cacheControl: path.startsWith("/assets/") ? forever : "no-cache",
  };
}

/** The two files that are not the same for every provider. */
function adapt(path: string, bytes: Buffer, { name, headersVersion }: AppFilesOptions): Buffer {
  if (path === "/sw.js" && headersVersion !== undefined)
    return Buffer.from(bytes.toString().replace(headersMark, headersVersion));
  if (path === "/manifest.webmanifest" && name !== undefined) {
    const built = JSON.parse(bytes.toString()) as Record<string, unknown>;
    return Buffer.from(JSON.stringify({ ...built, name: `${name} Peering Manager`, short_name: name }));
  }
  return bytes;
}

/** Read when somebody asks for them, which is seldom. */
function readFormer(folder: string, options: AppFilesOptions): (path: string) => File | undefined {
  const kept = keepFormer(join(folder, "assets"), options);
  return (path) => {
    const location = path.startsWith("/assets/") ? kept.get(path.slice("/assets/".length)) : undefined;
    return location === undefined ? undefined : fileOf(path, readFileSync(location));
  };
}

/** A disk that is full or read-only costs this, and not the server. */
function keepFormer(assets: string, { formerFiles, log }: AppFilesOptions): ReadonlyMap<string, string> {
  if (formerFiles === undefined) return new Map();
  try {
    const built = readdirSync(assets, { withFileTypes: true }).filter((entry) => entry.isFile());
    return keepFormerFiles(
      built.map(({ name }) => join(assets, name)),
      formerFiles,
      new Date(),
    );
  } catch (error) {
    log?.warn(
      { err: error },
      "The web app's files cannot be kept for pages of this build, after the next one.",
    );
    return new Map();
  }
}
