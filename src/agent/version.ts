import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the version that the package was built with; "unpackaged" for an agent that runs from the source. */
export async function readAgentVersion(): Promise<string> {
  // The build writes the file next to the bundle.
  const text = await readFile(join(import.meta.dirname, "version"), "utf8").catch(() => "unpackaged");
  return text.trim();
}
