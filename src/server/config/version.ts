import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the version of this checkout, which `package.json` states for all programs. */
export function readVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
