/** Builds the web app unless the last build is newer than all its sources. `npm start` runs this first. */
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { build as viteBuild } from "vite";

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

const builtAt = await modified(join(target, "index.html"));
if (builtAt < Math.max(...(await Promise.all(sources.map(newestModification))))) {
  const vite = await import("vite").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_MODULE_NOT_FOUND" && error.message.includes("'vite'")) return null;
    throw error;
  });
  if (vite) await buildApp(vite.build);
  else
    explain(
      "npm ci --omit=dev does not install what builds it",
      "Run npm ci and npm run build, or copy build/web from a checkout of the same commit.",
    );
}

/** Builds into a temporary folder and then replaces the last build: a failed or concurrent build leaves it intact. */
async function buildApp(build: typeof viteBuild): Promise<void> {
  const temporary = join(root, `build/web.${process.pid}`);
  try {
    await mkdir(temporary, { recursive: true });
    // Vite's other loaders of a configuration write into the checkout's folder.
    await build({ root, configLoader: "native", build: { outDir: temporary }, logLevel: "warn" });
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target);
  } catch (error) {
    const { code = "", path = temporary } = error as NodeJS.ErrnoException;
    if (!["EACCES", "EPERM", "EROFS"].includes(code)) throw error;
    explain(`this user may not write ${path} (${code})`, "Run npm run build as the checkout's owner.");
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Says why the web app is not built. An older build serves, since its files may only have other times. */
function explain(reason: string, instruction: string): void {
  const [state, end] =
    builtAt > 0 ? ["older than its sources", "The server uses it as it is."] : ["not built", instruction];
  process.stderr.write(`The web app is ${state}, and ${reason}. ${end}\n`);
  if (builtAt === 0) process.exitCode = 1;
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
