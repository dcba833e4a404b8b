/** Builds the web app unless the last build is newer than everything that it is made of. `npm start` runs it first. */
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
const target = join(root, "build/web");
const sources = [
  "src/web",
  "src/device",
  "src/sw",
  "src/contract",
  "src/domain",
  "public",
  "index.html",
  "manifest.webmanifest",
  "vite.config.ts",
  "package-lock.json",
];

if ((await modified(join(target, "index.html"))) < Math.max(...(await Promise.all(sources.map(newest))))) {
  // Built aside and put in place whole: a build that fails, or one that runs beside it, leaves the last one.
  const aside = join(root, `build/web.${process.pid}`);
  await build({ root, build: { outDir: aside, emptyOutDir: true }, logLevel: "warn" });
  await rm(target, { recursive: true, force: true });
  await rename(aside, target);
}

/** Milliseconds since 1970 of the newest file in a folder, or of the file itself. */
async function newest(source: string): Promise<number> {
  const path = join(root, source);
  if (!(await stat(path)).isDirectory()) return modified(path);
  const entries = await readdir(path, { recursive: true });
  return Math.max(...(await Promise.all(entries.map((entry) => modified(join(path, entry))))));
}

/** 0 where there is no such file. */
async function modified(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found?.mtimeMs ?? 0;
}
