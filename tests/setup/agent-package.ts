import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { repository } from "./repository.ts";

/** Builds the agent into a folder, and gives the path of its Debian package. */
export async function buildAgentPackage(folder: string): Promise<string> {
  await promisify(execFile)(process.execPath, [path.join(repository, "src/build-agent.ts"), folder]);
  const name = (await readdir(folder)).find((file) => file.endsWith(".deb"));
  if (name === undefined) throw new Error("no Debian package was built");
  return path.join(folder, name);
}
