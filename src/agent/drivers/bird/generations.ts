/**
 * BIRD's files of all participants, applied so that the old or the new generation is whole, on disk and in
 * the daemon, wherever it is cut off.
 *
 * The folder holds two generations, `a` and `b`, and two links: `current`, which bird.conf includes, and
 * `confirmed`, which shows the generation that BIRD last confirmed. A change is written into the generation
 * that is not confirmed, so its cost follows from what changed and not from how many there are. Each generation
 * defines a constant of its own for BIRD, which BIRD tells when asked: so what runs is known and not guessed.
 *
 * Invariants: the confirmed generation is never written to. The two links differ only while a change is
 * under way, or was cut off: then `confirmed` is what counts (at boot too, see docs/nodes.md). One change
 * at a time, and nobody else runs `configure` meanwhile, since a plain one would confirm for us.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { replaceLink, syncFolder, writeSynced } from "../../durable-file.ts";
import { RouterRefused } from "../router.ts";
import type { BirdControl, BirdReply } from "./control-socket.ts";

/** Texts by file name. */
export type BirdFiles = ReadonlyMap<string, string>;

export interface GenerationChange {
  readonly files: BirdFiles;
  /** Done when the files are written and BIRD has not seen them; where it rejects, BIRD never does. */
  readonly beforeSwap: () => Promise<void>;
  readonly report: (sentence: string) => void;
}

export interface Generations {
  /**
   * Puts files and BIRD back to the confirmed generation where a change was cut off. Needed before the first
   * `apply`, and again after one that rejected with anything but `RouterRefused`.
   */
  readonly recover: () => Promise<void>;
  /** Whether these are the files of the confirmed generation. */
  readonly runs: (files: BirdFiles) => boolean;
  /** Whether BIRD runs the confirmed generation, and would after a restart. Not during an `apply`. */
  readonly stands: () => Promise<boolean>;
  /** Rejects with `RouterRefused` where files and BIRD are what they were before. */
  readonly apply: (change: GenerationChange) => Promise<void>;
}

export interface GenerationsOptions {
  readonly folder: string;
  readonly bird: BirdControl;
  readonly clock: Clock;
}

type Slot = "a" | "b";

const codes = { reconfigured: [3, 4, 5], up: 13, confirmed: 18, value: 23 } as const;
/** The file that names its generation, and the constant that it defines. */
const markerFile = "generation.conf";
const marker = "peerdeck_generation";
const undoSeconds = 60;
/** How long sessions that end may take to do so. */
const healthMs = 20_000;
const healthPauseMs = 20;
const fileMode = 0o644;

export function createGenerations({ folder, bird, clock }: GenerationsOptions): Generations {
  const current = join(folder, "current");
  const confirmedLink = join(folder, "confirmed");
  let confirmed: Slot = "a";
  /** What each generation holds; null where that is not known. */
  const held: Record<Slot, BirdFiles | null> = { a: null, b: null };

  async function recover(): Promise<void> {
    await mkdir(join(folder, "a"), { recursive: true, mode: 0o755 });
    await mkdir(join(folder, "b"), { recursive: true, mode: 0o755 });
    const kept = await slotOf(confirmedLink);
    if (kept === null) await replaceLink(confirmedLink, "a");
    confirmed = kept ?? "a";
    const other: Slot = confirmed === "a" ? "b" : "a";
    const files = await readFiles(join(folder, confirmed));
    held[confirmed] = files;
    held[other] = await readFiles(join(folder, other));
    await forgetRemoved(other, files);
    for (const link of [current, confirmedLink]) await rm(`${link}.new`, { force: true });
    const cutOff = (await slotOf(current)) !== confirmed;
    if (cutOff) await replaceLink(current, confirmed);
    if (cutOff || (await runningMark()) !== markOf(files)) await configureAgain();
  }

  /** What BIRD itself says that it runs; null where that is no generation with files. */
  async function runningMark(): Promise<string | null> {
    const { code, text } = await bird(`eval ${marker}`);
    return code === codes.value ? text : null;
  }

  async function stands(): Promise<boolean> {
    const mark = await runningMark();
    const files = held[confirmed];
    return files !== null && mark === markOf(files) && (await slotOf(current)) === confirmed;
  }

  async function configureAgain(): Promise<void> {
    const reply = await bird("configure");
    if (!tookIt(reply)) throw new Error(`BIRD does not take its confirmed configuration: ${reply.text}`);
    await untilUp();
  }

  async function write(slot: Slot, files: BirdFiles): Promise<void> {
    const path = join(folder, slot);
    const had = held[slot] ?? (await readFiles(path));
    held[slot] = null;
    for (const name of had.keys()) if (!files.has(name)) await rm(join(path, name));
    for (const [name, text] of files) {
      if (had.get(name) !== text) await writeSynced(join(path, name), text, fileMode);
    }
    await syncFolder(path);
    held[slot] = files;
  }

  /** Nothing of a deleted peering stays on the node, not even in the generation that nobody reads. */
  async function forgetRemoved(slot: Slot, files: BirdFiles): Promise<void> {
    const had = held[slot] ?? new Map<string, string>();
    const stays = (name: string) => files.has(name) && name !== markerFile;
    held[slot] = null;
    for (const name of had.keys()) if (!stays(name)) await rm(join(folder, slot, name), { force: true });
    held[slot] = new Map(Array.from(had).filter(([name]) => stays(name)));
  }

  /** Waits until sessions that had to end have ended. */
  async function untilUp(): Promise<void> {
    const deadline = clock.now() + healthMs;
    for (;;) {
      const { code, text } = await bird("show status");
      if (code === codes.up) return;
      if (clock.now() > deadline) throw new Error(`BIRD did not finish its reconfiguration: ${text}`);
      await clock.sleep(healthPauseMs);
    }
  }

  async function assertHealthy(files: BirdFiles): Promise<void> {
    await untilUp();
    if ((await runningMark()) !== markOf(files)) {
      throw new Error(`BIRD does not read the new files: its configuration must include ${current}/*.conf`);
    }
  }

  async function apply({ files: peerings, beforeSwap, report }: GenerationChange): Promise<void> {
    const next: Slot = confirmed === "a" ? "b" : "a";
    const files = marked(peerings);
    await write(next, files);
    report("Wrote the new configuration beside the running one.");
    try {
      await beforeSwap();
      await swapAndConfirm(next, files, report);
    } catch (error) {
      await forgetRemoved(next, held[confirmed] ?? new Map());
      throw error;
    }
    await replaceLink(confirmedLink, next);
    const former = confirmed;
    confirmed = next;
    await forgetRemoved(former, files);
    // BIRD may have been started again before the link was swung over, with what was confirmed until then.
    if (!(await stands()))
      throw new Error("BIRD was started again while its new configuration was confirmed");
    report("The router's health check passed, and the configuration was confirmed.");
  }

  /** Resolves when BIRD runs the generation and will not undo it; rejects when `current` shows the old one. */
  async function swapAndConfirm(
    next: Slot,
    files: BirdFiles,
    report: (sentence: string) => void,
  ): Promise<void> {
    let changed = false;
    try {
      await replaceLink(current, next);
      const reply = await bird(`configure timeout ${undoSeconds}`);
      changed = tookIt(reply);
      if (!changed) throw new RouterRefused(`BIRD refused the new configuration: ${reply.text}.`);
      report("BIRD parsed the new configuration and runs it.");
      await assertHealthy(files);
      const confirmation = await bird("configure confirm");
      if (confirmation.code !== codes.confirmed) {
        throw new Error(`BIRD did not confirm the new configuration: ${confirmation.text}`);
      }
    } catch (error) {
      await replaceLink(current, confirmed);
      if (!changed) throw error;
      await configureAgain();
      throw new RouterRefused(`The new configuration was taken back: ${(error as Error).message}.`, {
        cause: error,
      });
    }
  }

  return { recover, apply, stands, runs: (files) => sameFiles(held[confirmed], marked(files)) };
}

function tookIt({ code }: BirdReply): boolean {
  return codes.reconfigured.some((known) => known === code);
}

async function slotOf(link: string): Promise<Slot | null> {
  try {
    const target = await readlink(link);
    return target === "a" || target === "b" ? target : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function readFiles(path: string): Promise<BirdFiles> {
  const names = (await readdir(path)).filter((name) => name.endsWith(".conf"));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), "utf8")] as const)),
  );
}

function sameFiles(a: BirdFiles | null, b: BirdFiles): boolean {
  return a?.size === b.size && Array.from(b).every(([name, text]) => a.get(name) === text);
}

/** With what names the generation; an empty one needs no name, so that a node without peerings holds no file. */
function marked(files: BirdFiles): BirdFiles {
  if (files.size === 0) return files;
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(`${name}\n${text}\0`);
  const text = `define ${marker} = "${hash.digest("hex")}";\n`;
  return new Map([...files, [markerFile, text]]);
}

function markOf(files: BirdFiles): string | null {
  return /"([0-9a-f]+)"/.exec(files.get(markerFile) ?? "")?.[1] ?? null;
}
