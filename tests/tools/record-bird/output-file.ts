/** The recordings' file format: blocks of `> command` and the lines of BIRD's reply. Lines with `# ` are comments. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

export interface Block {
  readonly command: string;
  readonly reply: Buffer;
}

/** Routes in a listing that is longer than a recording should be. */
const listedRoutes = 20;
/** The first line of a route: prefix, type, and the protocol with the time. A further route has no prefix. */
const heading = /^(?:1007-| )(?:[0-9a-f.:]+\/[0-9]+)? +\S+ \[/;

/**
 * Writes a recording.
 *
 * @param configFolder the temporary folder of BIRD's configuration, which the recording shows as `/etc/bird`
 */
export async function writeBlocks(
  file: string,
  blocks: readonly Block[],
  configFolder: string,
): Promise<void> {
  const texts = blocks.flatMap(({ command, reply }) => {
    // One octet a character, so that invalid UTF-8 stays as it is.
    const text = reply.toString("latin1").replaceAll(configFolder, "/etc/bird");
    return [`> ${command}\n`, ...shorten(text)];
  });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, texts.join(""), "latin1");
}

/** Removes the routes after the first ones, and says so in a comment before the reply. */
function shorten(reply: string): readonly string[] {
  const lines = reply.split("\n").slice(0, -1);
  const routes = lines.flatMap((line, index) => (heading.test(line) ? [index] : []));
  const end = routes[listedRoutes];
  if (end === undefined) return [reply];
  const comment = `# Shortened by the recorder: the first ${listedRoutes} of ${routes.length} routes.`;
  return [comment, ...lines.slice(0, end), lines.at(-1) ?? ""].map((line) => `${line}\n`);
}
