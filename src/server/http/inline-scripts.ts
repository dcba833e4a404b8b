import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What the content security policy has to name so that the scripts in the app's own page run, `'sha256-…'`. Scripts
 * with a type or a source are not meant: the former is data, the latter is a file of ours.
 *
 * @param webDir the built app's folder; without a page there are none.
 */
export function inlineScripts(webDir: string): readonly string[] {
  const page = join(webDir, "index.html");
  if (!existsSync(page)) return [];
  const scripts = readFileSync(page, "utf8").matchAll(/<script>([\s\S]*?)<\/script>/g);
  return Array.from(
    scripts,
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
}
