/** The folder of an installed server: the part of a checkout that runs, with the same paths, and without dependencies. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runOk, runProcess } from "../system/processes.ts";
import type { BuildVersion } from "./build-version.ts";
import { programsFolder, root } from "./bundle.ts";

/** What the bundle reads beside itself, from the root. */
const files = [
  "LICENSE",
  "build/web",
  programsFolder,
  "docs/provider.example.toml",
  "src/demo/provider.toml",
  "src/demo/registry",
  "src/server/features/accounts/common-passwords.txt",
] as const;

/** Builds what `npm start` runs, unless it is built, and writes the installation into a new folder. */
export async function writeInstallation(folder: string, { version }: BuildVersion): Promise<void> {
  await runOk(runProcess, process.execPath, [join(import.meta.dirname, "build.ts")], {
    cwd: root,
    timeoutMs: 300_000,
    environment: process.env,
  });
  await rm(folder, { recursive: true, force: true });
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file), { recursive: true });
  }
  // The agent has a package of its own.
  await rm(join(folder, programsFolder, "peerdeck-agent.mjs"));
  await writeFile(
    join(folder, "package.json"),
    `${JSON.stringify({ name: "peerdeck", version, type: "module" }, null, 2)}\n`,
  );
}
