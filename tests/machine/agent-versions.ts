/** Two versions of the agent's package, with the same files. */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildAgentPackage } from "../support/debian-packages.ts";
import type { Machine } from "./machine.ts";
import { newVersion, raiseVersion } from "./package-versions.ts";

export type AgentVersion = "old" | "new";

/** Builds both packages into a folder. */
export async function buildVersions(folder: string): Promise<void> {
  const deb = await buildAgentPackage(join(folder, "built"));
  await cp(deb, join(folder, "old.deb"));
  await raiseVersion(deb, join(folder, "new.deb"), (tree) =>
    writeFile(join(tree, "usr/lib/peerdeck-agent/version"), `${newVersion}\n`),
  );
}

/** Copies a package to /root of the machine, and deletes the other one. */
export async function copyVersion(machine: Machine, folder: string, version: AgentVersion): Promise<void> {
  await machine.run("rm -f /root/peerdeck-agent_*.deb");
  await cp(join(folder, `${version}.deb`), join(machine.root, `root/peerdeck-agent_${version}.deb`));
}
