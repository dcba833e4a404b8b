/**
 * A remote that is a folder of this machine. Git refuses one that belongs to another user, unless the configuration of the
 * machine or the user allows it, and reads neither here. The provider profile names this folder, so a configuration file of
 * the server allows it, and nothing else.
 *
 * `git upload-pack` reads such a repository without running anything that its configuration names (git-upload-pack(1),
 * "SECURITY"). Fetching missing objects from elsewhere would, so it stays off.
 */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceFile } from "#system/durable-file.ts";

/** Where git looks for the repository below a path (`enter_repo`). */
const suffixes = ["", "/.git", ".git", ".git/.git"] as const;
const fileName = "gitconfig";

/** Returns the variables for a fetch from the remote. For a folder of this machine, writes the file that allows it. */
export async function allowLocalRemote(
  url: string,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const path = findLocalPath(url);
  if (path === null) return {};
  const real = await realpath(path).catch(() => path);
  const places = [...new Set([path, real])].map((each) => each.replace(/\/+$/, ""));
  const lines = places.flatMap((place) => suffixes.map((suffix) => `\tdirectory = ${quote(place + suffix)}`));
  const file = join(folder, fileName);
  await replaceFile(file, `[safe]\n${lines.join("\n")}\n`);
  return { GIT_CONFIG_GLOBAL: file, GIT_NO_LAZY_FETCH: "1" };
}

function findLocalPath(url: string): string | null {
  if (url.startsWith("/")) return url;
  return URL.parse(url)?.protocol === "file:" ? fileURLToPath(url) : null;
}

/** Quotes a value of git's configuration (git-config(1), "Syntax"). */
function quote(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
