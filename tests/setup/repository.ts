import { readFile } from "node:fs/promises";
import path from "node:path";

/** The repository's top folder. */
export const repository = path.resolve(import.meta.dirname, "../..");

/**
 * The script behind a package's command, to be run by this process's own Node: what lies in
 * `node_modules/.bin` would run on whichever Node the machine has first.
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
