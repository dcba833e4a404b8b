import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { repository } from "./repository.ts";
import { isEveryCase } from "./share-of-commit.ts";

const command = ["npm", "run", "build:agent"] as const;
/** The command that builds the package, as a person enters it. */
export const buildCommand = command.join(" ");

/**
 * Builds the agent into a folder, and returns the path of its Debian package. Only a run of every case compresses it as for
 * a release, which takes longer than everything else.
 */
export async function buildAgentPackage(
  folder: string,
  { compressed = isEveryCase() }: { readonly compressed?: boolean } = {},
): Promise<string> {
  const [program, ...args] = [...command, "--", folder, ...(compressed ? [] : ["--uncompressed"])] as const;
  await promisify(execFile)(program, args, { cwd: repository });
  const name = (await readdir(folder)).find((file) => file.endsWith(".deb"));
  if (name === undefined) throw new Error("no Debian package was built");
  return path.join(folder, name);
}
