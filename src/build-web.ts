/** Builds the web app unless the last build is newer than all its sources. `npm start` runs this first. */
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
const target = join(root, "build/web");
const sources = [
  "src/web",
  "src/browser-storage",
  "src/sw",
  "src/contract",
  "src/domain",
  "public",
  "index.html",
  "manifest.webmanifest",
  "vite.config.ts",
  "package-lock.json",
];

if (
  (await modified(join(target, "index.html"))) <
  Math.max(...(await Promise.all(sources.map(newestModification))))
) {
  // Builds into a temporary folder and then replaces the last build: a failed or concurrent build leaves it intact.
  const temporary = join(root, `build/web.${process.pid}`);
  await build({ root, build: { outDir: temporary, emptyOutDir: true }, logLevel: "warn" });
  await rm(target, { recursive: true, force: true });
  await rename(temporary, target);
}

/** Returns the modification time of the newest file in a folder, or of the file itself, in milliseconds since 1970. */
async function newestModification(source: string): Promise<number> {
  const path = join(root, source);
  if (!(await stat(path)).isDirectory()) return modified(path);
  const entries = await readdir(path, { recursive: true });
  return Math.max(...(await Promise.all(entries.map((entry) => modified(join(path, entry))))));
}

/** Returns 0 if the file does not exist. */
async function modified(path: string): Promise<number> {
  const stats = await stat(path).catch(() => null);
  return stats?.mtimeMs ?? 0;
}
