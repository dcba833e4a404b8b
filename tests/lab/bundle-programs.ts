/**
 * Bundles the program that runs on hosts: a file starts in half the time that its two hundred modules take. The crash tests
 * start an agent for each step of an apply.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { repository } from "../support/repository.ts";
import { bundleVariable, nodeProgram } from "./host-process.ts";

export async function setup(): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), "peerdeck-lab-programs-"));
  await build({
    root: repository,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: "node24",
      minify: false,
      rolldownOptions: {
        input: join(import.meta.dirname, nodeProgram),
        output: { entryFileNames: "program.mjs" },
      },
    },
  });
  process.env[bundleVariable] = join(outDir, "program.mjs");
  return () => rm(outDir, { recursive: true });
}
