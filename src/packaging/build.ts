/**
 * Builds what `npm start` runs: the web app and the programs, each unless the last build is newer than all its sources.
 * `npm start` runs this first. `--all` builds both in any case.
 */
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type * as Vite from "vite";
import { bundleConfig, programsFolder, root } from "./bundle.ts";

interface Target {
  /** The beginning of a sentence. */
  readonly name: string;
  readonly folder: string;
  /** A file that each build writes. */
  readonly file: string;
  /** Files and folders. */
  readonly sources: readonly string[];
  /** Vite's configuration without its folder. */
  readonly config: Vite.InlineConfig;
}

const targets: readonly Target[] = [
  {
    name: "The web app",
    folder: "build/web",
    file: "index.html",
    sources: [
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
    ],
    // Vite's other loaders of a configuration write into the checkout's folder.
    config: { root, configLoader: "native" },
  },
  {
    name: "The server",
    folder: programsFolder,
    file: "peerdeck.mjs",
    sources: [
      ...["agent", "cli", "contract", "demo", "domain", "mtls", "packaging", "server", "system"].map(
        (name) => `src/${name}`,
      ),
      "package-lock.json",
    ],
    config: bundleConfig(
      { peerdeck: "src/cli/main.ts", "peerdeck-agent": "src/agent/main.ts" },
      { isOneFile: false },
    ),
  },
];

// Vite would build for development or for tests if the caller runs them.
process.env["NODE_ENV"] = "production";
const isForced = process.argv.includes("--all");
for (const target of targets) {
  const builtAt = isForced ? 0 : await modified(join(root, target.folder, target.file));
  const changedAt = Math.max(...(await Promise.all(target.sources.map(newestModification))));
  if (builtAt < changedAt && !(await buildOrExplain(target, builtAt > 0))) break;
}

/** Returns whether there is a build now. One that is older than its sources serves, since these may only have other times. */
async function buildOrExplain(target: Target, hasBuild: boolean): Promise<boolean> {
  const explain = (reason: string, instruction: string): boolean => {
    const [state, end] = hasBuild
      ? ["older than its sources", "The last build is used as it is."]
      : ["not built", instruction];
    process.stderr.write(`${target.name} is ${state}, and ${reason}. ${end}\n`);
    if (!hasBuild) process.exitCode = 1;
    return hasBuild;
  };
  const vite = await import("vite").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_MODULE_NOT_FOUND" && error.message.includes("'vite'")) return null;
    throw error;
  });
  if (!vite) {
    const instruction = "Run npm ci and npm run build, or copy build from a checkout of the same commit.";
    return explain("npm ci --omit=dev does not install what builds it", instruction);
  }
  const failure = await build(vite.build, target);
  return failure === null || explain(failure, "Run npm run build as the checkout's owner.");
}

/**
 * Builds into a temporary folder and then replaces the last build: a failed or concurrent build leaves it intact. Returns what
 * this user may not do; null after a build.
 */
async function build(vite: typeof Vite.build, { folder, config }: Target): Promise<string | null> {
  const target = join(root, folder);
  const temporary = `${target}.${process.pid}`;
  try {
    await mkdir(temporary, { recursive: true });
    await vite({ ...config, build: { ...config.build, outDir: temporary }, logLevel: "warn" });
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target);
    return null;
  } catch (error) {
    const { code = "", path = temporary } = error as NodeJS.ErrnoException;
    if (!["EACCES", "EPERM", "EROFS"].includes(code)) throw error;
    return `this user may not write ${path} (${code})`;
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
  }
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
