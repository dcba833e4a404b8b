/** Two versions of the agent's package, with the same files. */
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runOk, runProcess } from "../../src/system/processes.ts";
import { buildAgentPackage } from "../support/debian-packages.ts";
import type { Machine } from "./machine.ts";

export type AgentVersion = "old" | "new";
export const newVersion = "9.0.0+20991231.235959";

/** Builds both packages into a folder. */
export async function buildVersions(folder: string): Promise<void> {
  const deb = await buildAgentPackage(join(folder, "built"));
  await cp(deb, join(folder, "old.deb"));
  await raiseVersion(deb, folder);
}

async function raiseVersion(deb: string, folder: string): Promise<void> {
  const tree = join(folder, "tree");
  await runOk(runProcess, "dpkg-deb", ["--raw-extract", deb, tree]);
  const control = join(tree, "DEBIAN/control");
  const text = await readFile(control, "utf8");
  await writeFile(control, text.replace(/^Version: .*$/m, `Version: ${newVersion}`));
  await writeFile(join(tree, "usr/lib/peerdeck-agent/version"), `${newVersion}\n`);
  const target = join(folder, "new.deb");
  await runOk(runProcess, "dpkg-deb", ["--root-owner-group", "-Znone", "--build", tree, target]);
}

/** Copies a package to /root of the machine, and deletes the other one. */
export async function copyVersion(machine: Machine, folder: string, version: AgentVersion): Promise<void> {
  await machine.run("rm -f /root/peerdeck-agent_*.deb");
  await cp(join(folder, `${version}.deb`), join(machine.root, `root/peerdeck-agent_${version}.deb`));
}
