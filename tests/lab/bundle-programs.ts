/**
 * Bundles the program that runs on hosts: a file starts in half the time that its two hundred modules take. The crash tests
 * start an agent for each step of an apply.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { bundleConfig } from "#packaging/bundle.ts";
import { bundleVariable, nodeProgram } from "./host-process.ts";

export async function setup(): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), "peerdeck-lab-programs-"));
  const config = bundleConfig({ program: `tests/lab/${nodeProgram}` }, { isOneFile: true });
  await build({ ...config, build: { ...config.build, outDir } });
  process.env[bundleVariable] = join(outDir, "program.mjs");
  return () => rm(outDir, { recursive: true });
}
