import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Context, Hono } from "hono";

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

/**
 * The built web app, held in memory since it is small. Only files that were there at start exist, so no path
 * leads anywhere else. Hashed assets are kept for ever by browsers; any other path without an extension is a
 * screen of the app and gets its page, and a missing file is 404, never the page.
 */
export function serveApp(folder: string): Hono {
  const files = readFiles(folder);
  const encoded = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const app = new Hono();
  app.get("*", async (context) => {
    const path = context.req.path === "/" ? "/index.html" : context.req.path;
    const file = files.get(path) ?? (isScreen(path) ? files.get("/index.html") : undefined);
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

function readFiles(folder: string): ReadonlyMap<string, File> {
  const files = new Map<string, File>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const location = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, location).split(sep).join("/")}`;
    const bytes = Uint8Array.from(readFileSync(location));
    files.set(path, {
      bytes,
      type: types[extname(path)] ?? "application/octet-stream",
      etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
      cacheControl: path.startsWith("/assets/") ? forever : "no-cache",
    });
  }
  if (!files.has("/index.html")) throw new Error(`${folder} holds no built web app; run: npm run build`);
  return files;
}
