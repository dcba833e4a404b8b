/**
 * BIRD's files of all participants, applied so that the old or the new generation is whole, on disk and in
 * the daemon, wherever it is cut off.
 *
 * The folder holds two generations, `a` and `b`, and two links: `current`, which bird.conf includes, and
 * `confirmed`, which shows the generation that BIRD last confirmed. A change is written into the generation
 * that is not confirmed, so its cost follows from what changed and not from how many there are.
 *
 * Invariants: the confirmed generation is never written to. The two links differ only while a change is
 * under way, or was cut off: then `confirmed` is what counts (at boot too, see docs/nodes.md). One change
 * at a time, and nobody else runs `configure` meanwhile, since a plain one would confirm for us.
 */
import { mkdir, readdir, readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { replaceLink, syncFolder, writeSynced } from "../../durable-file.ts";
import { RouterRefused } from "../router.ts";
import type { BirdControl, BirdReply } from "./control-socket.ts";
import { parseProtocols } from "./parse-protocols.ts";

/** Texts by file name. */
export type BirdFiles = ReadonlyMap<string, string>;

export interface GenerationChange {
  readonly files: BirdFiles;
  /** Names of all BGP protocols in the files. */
  readonly protocols: readonly string[];
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
  /** Rejects with `RouterRefused` where files and BIRD are what they were before. */
  readonly apply: (change: GenerationChange) => Promise<void>;
}

export interface GenerationsOptions {
  readonly folder: string;
  readonly bird: BirdControl;
  readonly clock: Clock;
}

type Slot = "a" | "b";

const codes = { reconfigured: [3, 4, 5], up: 13, confirmed: 18 } as const;
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
    const files = await readFiles(join(folder, confirmed));
    held[confirmed] = files;
    held[confirmed === "a" ? "b" : "a"] = null;
    const cutOff = (await slotOf(current)) !== confirmed;
    if (cutOff) await replaceLink(current, confirmed);
    if (cutOff || !(await birdRuns(protocolsOf(files)))) await configureAgain();
  }

  /** Whether BIRD knows just these of the protocols that can only be ours. */
  async function birdRuns(wanted: readonly string[]): Promise<boolean> {
    const known = parseProtocols(await bird("show protocols")).map(({ name }) => name);
    const ours = known.filter((name) => /^dn42_[0-9]{1,10}(_v[46])?$/.test(name));
    return wanted.every((name) => ours.includes(name)) && ours.every((name) => wanted.includes(name));
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
    const gone = Array.from(had.keys()).filter((name) => !files.has(name));
    held[slot] = null;
    for (const name of gone) await rm(join(folder, slot, name), { force: true });
    held[slot] = new Map(Array.from(had).filter(([name]) => files.has(name)));
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

  async function assertHealthy(protocols: readonly string[]): Promise<void> {
    await untilUp();
    const known = new Set(parseProtocols(await bird("show protocols")).map(({ name }) => name));
    const missing = protocols.find((name) => !known.has(name));
    if (missing !== undefined) {
      throw new Error(`BIRD does not know ${missing}: its configuration must include ${current}/*.conf`);
    }
  }

  async function apply({ files, protocols, beforeSwap, report }: GenerationChange): Promise<void> {
    const next: Slot = confirmed === "a" ? "b" : "a";
    await write(next, files);
    report("Wrote the new configuration beside the running one.");
    try {
      await beforeSwap();
      await swapAndConfirm(next, protocols, report);
    } catch (error) {
      await forgetRemoved(next, held[confirmed] ?? new Map());
      throw error;
    }
    await replaceLink(confirmedLink, next);
    const former = confirmed;
    confirmed = next;
    await forgetRemoved(former, files);
    report("The router's health check passed, and the configuration was confirmed.");
  }

  /** Resolves when BIRD runs the generation and will not undo it; rejects when `current` shows the old one. */
  async function swapAndConfirm(
    next: Slot,
    protocols: readonly string[],
    report: (sentence: string) => void,
  ): Promise<void> {
    let changed = false;
    try {
      await replaceLink(current, next);
      const reply = await bird(`configure timeout ${undoSeconds}`);
      changed = tookIt(reply);
      if (!changed) throw new RouterRefused(`BIRD refused the new configuration: ${reply.text}.`);
      report("BIRD parsed the new configuration and runs it.");
      await assertHealthy(protocols);
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

  return { recover, apply, runs: (files) => sameFiles(held[confirmed], files) };
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
  const names = await readdir(path);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), "utf8")] as const)),
  );
}

function sameFiles(a: BirdFiles | null, b: BirdFiles): boolean {
  return a?.size === b.size && Array.from(b).every(([name, text]) => a.get(name) === text);
}

function protocolsOf(files: BirdFiles): readonly string[] {
  return Array.from(files.values()).flatMap((text) =>
    Array.from(text.matchAll(/^protocol bgp (\S+)/gm), ([, name = ""]) => name),
  );
}
