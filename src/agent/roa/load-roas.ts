/**
 * The files of ROAs that BIRD includes.
 *
 * Invariants: a file is replaced whole, by what was read to its values; BIRD is told while no deployment is
 * under way, since a plain `configure` confirms what one is still testing; and where BIRD refuses, the files
 * are again what they were.
 */
import { readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../durable-file.ts";
import { type BirdControl, isBirdError } from "../drivers/bird/control-socket.ts";
import { RoaFault } from "./parse-roas.ts";

export type RoaFile = "roa4.conf" | "roa6.conf";
export type RoaTexts = ReadonlyMap<RoaFile, readonly string[]>;

export interface RoaFolders {
  /** Where `roa4.conf` and `roa6.conf` are. */
  readonly roaDir: string;
  /** The folder with the links `current` and `confirmed`. */
  readonly birdDir: string;
}

/** Fewer than this part of what is held is taken for a fault of the source. */
const leastPart = 0.5;
const fileMode = 0o644;

/**
 * Puts the ROAs in place and has BIRD read them; nothing happens where they are there already, unless `again`.
 * To be called alone, with no deployment under way.
 *
 * @returns whether BIRD was told
 * @throws RoaFault where nothing was changed: fewer than half of those held, BIRD's refusal, or a generation
 *   that is not confirmed yet
 */
export async function loadRoas(
  folders: RoaFolders,
  bird: BirdControl,
  roas: RoaTexts,
  again: boolean,
): Promise<boolean> {
  const changes = await Promise.all(
    Array.from(roas, async ([name, lines]) => {
      const path = join(folders.roaDir, name);
      const before = await readFile(path, "utf8").catch(missing);
      return { name, path, before, lines, text: lines.map((line) => `${line}\n`).join("") };
    }),
  );
  for (const { path, before, lines } of changes) refuseShrunk(path, before, lines.length);
  const changed = changes.filter(({ before, text }) => before !== text);
  if (changed.length === 0 && !again) return false;
  await refuseUnconfirmed(folders.birdDir);
  for (const { path, text } of changed) await replaceFile(path, text, fileMode);
  try {
    const reply = await bird("configure");
    if (isBirdError(reply)) throw new RoaFault(`BIRD refused its configuration with it: ${reply.text}`);
  } catch (error) {
    for (const { path, before } of changed) {
      if (before === null) await rm(path);
      else await replaceFile(path, before, fileMode);
    }
    throw error;
  }
  return true;
}

function refuseShrunk(path: string, before: string | null, count: number): void {
  const held = before?.match(/^route /gm)?.length ?? 0;
  if (count >= held * leastPart) return;
  throw new RoaFault(
    `it holds ${count} ROAs and ${path} holds ${held}; remove that file where so few are right`,
  );
}

async function refuseUnconfirmed(birdDir: string): Promise<void> {
  const [current, confirmed] = await Promise.all(
    ["current", "confirmed"].map((name) => readlink(join(birdDir, name)).catch(missing)),
  );
  if (current !== confirmed) {
    throw new RoaFault("the router does not surely run its confirmed configuration, and is not told now");
  }
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
