import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { repository } from "./repository.ts";
import { isEveryCase } from "./share-of-commit.ts";

const commands = { agent: ["npm", "run", "build:agent"], server: ["npm", "run", "build:server"] } as const;
/** The command that builds the agent's package, as a person enters it. */
export const buildCommand = commands.agent.join(" ");

interface PackageOptions {
  readonly compressed?: boolean;
}

/**
 * Builds the agent into a folder, and returns the path of its Debian package. Only a run of every case compresses it as for
 * a release, which takes longer than everything else.
 */
export function buildAgentPackage(folder: string, options?: PackageOptions): Promise<string> {
  return buildPackage(commands.agent, folder, options);
}

/** Builds the server's package in the same way. */
export function buildServerPackage(folder: string, options?: PackageOptions): Promise<string> {
  return buildPackage(commands.server, folder, options);
}

async function buildPackage(
  command: (typeof commands)[keyof typeof commands],
  folder: string,
  { compressed = isEveryCase() }: PackageOptions = {},
): Promise<string> {
  const [program, ...args] = [...command, "--", folder, ...(compressed ? [] : ["--uncompressed"])] as const;
  await promisify(execFile)(program, args, { cwd: repository });
  const name = (await readdir(folder)).find((file) => file.endsWith(".deb"));
  if (name === undefined) throw new Error("no Debian package was built");
  return path.join(folder, name);
}
