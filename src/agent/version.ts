import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the version of the package; the version of the checkout for an agent that runs from the source. */
export async function readAgentVersion(): Promise<string> {
  // The build writes the file next to the bundle.
  const built = await readFile(join(import.meta.dirname, "version"), "utf8").catch(() => null);
  if (built !== null) return built.trim();
  const manifest = await readFile(join(import.meta.dirname, "../../package.json"), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
