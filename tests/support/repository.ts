import { readFile } from "node:fs/promises";
import path from "node:path";

/** The repository's top folder. */
export const repository = path.resolve(import.meta.dirname, "../..");

/**
 * Returns the script of a package's command, for running it with this process's Node.js. The commands in
 * `node_modules/.bin` run with the first Node.js in the path.
 */
export async function commandScript(packageName: string, command = packageName): Promise<string> {
  const folder = path.join(repository, "node_modules", packageName);
  const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
    bin?: Record<string, string>;
  };
  const script = manifest.bin?.[command];
  if (script === undefined) throw new Error(`${packageName} has no command ${command}`);
  return path.join(folder, script);
}
