/**
 * The ROA files that BIRD includes.
 *
 * Invariants: a file is replaced as a whole, with parsed and rendered ROAs. BIRD is reconfigured only while
 * no deployment is in progress, because a plain `configure` confirms the configuration that a deployment is
 * still testing. If BIRD refuses, the files get their previous content.
 */
import { readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { describeToOperator } from "#domain/findings/findings.ts";
import { replaceFile } from "#system/durable-file.ts";
import { type BirdControl, isBirdError } from "../bird/control-socket.ts";
import type { UnloadedChanges } from "../bird/unloaded-changes.ts";
import { RoaError } from "./parse-roas.ts";

export type RoaFile = "roa4.conf" | "roa6.conf";
export type RoaTexts = ReadonlyMap<RoaFile, readonly string[]>;

export interface RoaLoader {
  readonly folders: RoaFolders;
  readonly bird: BirdControl;
  readonly unloadedChanges: UnloadedChanges;
  /** Keeps sessions disabled that the operator disabled; without it, `configure` enables them. */
  readonly followDisabled: () => Promise<void>;
}

export interface RoaFolders {
  /** The folder of `roa4.conf` and `roa6.conf`. */
  readonly roaDir: string;
  /** The folder with the links `current` and `confirmed`. */
  readonly birdDir: string;
}

/** A new list with less than this share of the current ROAs counts as a faulty source. */
const minShare = 0.5;
const fileMode = 0o644;

/**
 * Writes the ROA files and reconfigures BIRD. Does nothing if the files are unchanged, unless `force`. Must
 * be called while no deployment is in progress.
 *
 * @returns whether BIRD was reconfigured
 * @throws RoaError if nothing was changed: fewer than half of the current ROAs, a refusal by BIRD, a
 *   generation that is not confirmed yet, or changes of the operator that BIRD has not loaded
 */
export async function loadRoas(
  { folders, bird, unloadedChanges, followDisabled }: RoaLoader,
  roas: RoaTexts,
  force: boolean,
): Promise<boolean> {
  const changes = await Promise.all(
    Array.from(roas, async ([name, lines]) => {
      const path = join(folders.roaDir, name);
      const before = await readFile(path, "utf8").catch(nullIfMissing);
      return { name, path, before, lines, text: lines.map((line) => `${line}\n`).join("") };
    }),
  );
  for (const { path, before, lines } of changes) assertNotShrunk(path, before, lines.length);
  const changed = changes.filter(({ before, text }) => before !== text);
  if (changed.length === 0 && !force) return false;
  await assertConfirmed(folders.birdDir);
  const unloaded = await unloadedChanges.find();
  if (unloaded !== null) throw new RoaError(describeToOperator(unloaded));
  await followDisabled();
  for (const { path, text } of changed) await replaceFile(path, text, fileMode);
  try {
    const reply = await bird("configure");
    if (isBirdError(reply))
      throw new RoaError(`BIRD refused the configuration with these ROAs: ${reply.text}`);
  } catch (error) {
    for (const { path, before } of changed) {
      if (before === null) await rm(path);
      else await replaceFile(path, before, fileMode);
    }
    throw error;
  }
  return true;
}

function assertNotShrunk(path: string, before: string | null, count: number): void {
  const currentCount = before?.match(/^route /gm)?.length ?? 0;
  if (count >= currentCount * minShare) return;
  throw new RoaError(
    `it contains ${count} ROAs, but ${path} contains ${currentCount}; if the smaller number is correct, remove that file`,
  );
}

async function assertConfirmed(birdDir: string): Promise<void> {
  const [current, confirmed] = await Promise.all(
    ["current", "confirmed"].map((name) => readlink(join(birdDir, name)).catch(nullIfMissing)),
  );
  if (current !== confirmed) {
    throw new RoaError("the router may not run its confirmed configuration, so BIRD is not reconfigured now");
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
