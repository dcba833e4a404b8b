/**
 * BIRD's files of all participants, applied so that an interruption at any point leaves either the old or the
 * new generation complete, on disk and in the daemon.
 *
 * The folder contains two generations, `a` and `b`, and two links: `current`, which bird.conf includes, and
 * `confirmed`, which points to the generation that BIRD last confirmed. A change is written into the
 * generation that is not confirmed, so its cost depends on the change and not on the number of peerings. Each
 * generation defines a constant with its own hash. BIRD returns it on request, so the running generation is
 * known for certain.
 *
 * Invariants: the confirmed generation is never written to. The two links differ only while a change is in
 * progress or after it was interrupted; `confirmed` is then the valid one (also at boot, see docs/nodes.md).
 * One change at a time, and no other program runs `configure` meanwhile, because a plain `configure` would
 * confirm the change.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Step } from "#domain/findings/steps.ts";
import type { Clock } from "../../clock.ts";
import { replaceLink, syncPath, writeSynced } from "#system/durable-file.ts";
import { RouterRefusedError, type SetReport } from "../router.ts";
import type { BirdControl, BirdReply } from "./control-socket.ts";
import { keepDisabled } from "./disabled-sessions.ts";

/** File contents by file name. */
export type BirdFiles = ReadonlyMap<string, string>;

/** A change of the files, in the order of its steps. `unload` and `discard` undo them, unless BIRD has confirmed. */
export interface GenerationChange {
  /** Writes the files beside the confirmed ones. */
  readonly write: () => Promise<void>;
  /** BIRD reads them, and returns to the confirmed ones by itself unless they are confirmed in time. */
  readonly load: () => Promise<void>;
  /** Checks that BIRD runs them, and keeps them. */
  readonly confirm: () => Promise<void>;
  /** Returns BIRD and `current` to the confirmed files. */
  readonly unload: () => Promise<void>;
  /** Deletes the files of peerings that the confirmed generation does not have. */
  readonly discard: () => Promise<void>;
}

export interface Generations {
  /**
   * Restores files and BIRD to the confirmed generation after an interrupted change. Required before the
   * first change, and after one that rejected with anything but `RouterRefusedError`, or could not be undone. Returns what had
   * to be done; null if both were as confirmed.
   *
   * @param beforeReload called before BIRD returns to the confirmed generation
   */
  readonly recover: (beforeReload?: () => Promise<void>) => Promise<Step | null>;
  /** The files of the confirmed generation, also before `recover`; empty if there is none. */
  readonly readConfirmed: () => Promise<BirdFiles>;
  /** Whether these are the files of the confirmed generation. */
  readonly isCurrent: (files: BirdFiles) => boolean;
  /** Whether these are some of the files of the confirmed generation, unchanged. */
  readonly onlyRemoves: (files: BirdFiles) => boolean;
  /**
   * Whether BIRD runs the confirmed generation and would run it after a restart. Must not be called during a
   * change.
   */
  readonly isConfirmed: () => Promise<boolean>;
  /** Returns the steps of a change, which has not begun. */
  readonly change: (files: BirdFiles, report: SetReport) => GenerationChange;
}

export interface GenerationsOptions {
  readonly folder: string;
  readonly bird: BirdControl;
  /** Rejects if BIRD must not read its configuration now. */
  readonly beforeConfigure: () => Promise<void>;
  readonly clock: Clock;
}

type Slot = "a" | "b";

const codes = { reconfigured: [3, 4, 5], up: 13, confirmed: 18, value: 23 } as const;
/** The file that identifies its generation, and the constant that it defines. */
const markerFile = "generation.conf";
const marker = "peerdeck_generation";
const undoSeconds = 60;
/** How long removed sessions may take to end. */
const healthTimeoutMs = 20_000;
const healthPollMs = 20;
const fileMode = 0o644;

export function createGenerations({ folder, bird, beforeConfigure, clock }: GenerationsOptions): Generations {
  const current = join(folder, "current");
  const confirmedLink = join(folder, "confirmed");
  let confirmedSlot: Slot = "a";
  /** The files of each generation; null if unknown. */
  const slotFiles: Record<Slot, BirdFiles | null> = { a: null, b: null };

  async function recover(beforeReload = async () => {}): Promise<Step | null> {
    await mkdir(join(folder, "a"), { recursive: true, mode: 0o755 });
    await mkdir(join(folder, "b"), { recursive: true, mode: 0o755 });
    const linkedSlot = await slotOf(confirmedLink);
    if (linkedSlot === null) await replaceLink(confirmedLink, "a");
    confirmedSlot = linkedSlot ?? "a";
    const other: Slot = confirmedSlot === "a" ? "b" : "a";
    const files = await readFiles(join(folder, confirmedSlot));
    slotFiles[confirmedSlot] = files;
    slotFiles[other] = await readFiles(join(folder, other));
    await deleteRemoved(other, files);
    for (const link of [current, confirmedLink]) await rm(`${link}.new`, { force: true });
    const wasInterrupted = (await slotOf(current)) !== confirmedSlot;
    if (wasInterrupted) await replaceLink(current, confirmedSlot);
    if (!wasInterrupted && (await readRunningMarker()) === markerOf(files)) return null;
    await beforeReload();
    await configureAgain();
    return { code: wasInterrupted ? "change-rolled-back" : "bird-reloaded", facts: {} };
  }

  async function readConfirmed(): Promise<BirdFiles> {
    const files = slotFiles[confirmedSlot];
    if (files !== null) return files;
    const slot = await slotOf(confirmedLink);
    return slot === null ? new Map() : readFiles(join(folder, slot));
  }

  /** Asks BIRD for the marker of the generation that it runs; null if it has none. */
  async function readRunningMarker(): Promise<string | null> {
    const { code, text } = await bird(`eval ${marker}`);
    return code === codes.value ? text : null;
  }

  async function isConfirmed(): Promise<boolean> {
    const runningMarker = await readRunningMarker();
    const files = slotFiles[confirmedSlot];
    return files !== null && runningMarker === markerOf(files) && (await slotOf(current)) === confirmedSlot;
  }

  async function configureAgain(): Promise<void> {
    await beforeConfigure();
    const reply = await keepDisabled(bird, clock, () => bird("configure"));
    if (!isReconfigured(reply)) throw new Error(`BIRD rejected its confirmed configuration: ${reply.text}`);
    await waitUntilUp();
  }

  /** Returns BIRD to its previous configuration. BIRD keeps it in memory, so no changed file is loaded. */
  async function undo(): Promise<void> {
    await keepDisabled(bird, clock, () => bird("configure undo"));
    await waitUntilUp();
  }

  async function write(slot: Slot, files: BirdFiles): Promise<void> {
    const path = join(folder, slot);
    const previous = slotFiles[slot] ?? (await readFiles(path));
    slotFiles[slot] = null;
    for (const name of previous.keys()) if (!files.has(name)) await rm(join(path, name));
    for (const [name, text] of files) {
      if (previous.get(name) !== text) await writeSynced(join(path, name), text, fileMode);
    }
    await syncPath(path);
    slotFiles[slot] = files;
  }

  /** Deletes the files of removed peerings from a generation, also from the one that BIRD does not read. */
  async function deleteRemoved(slot: Slot, files: BirdFiles): Promise<void> {
    const previous = slotFiles[slot] ?? new Map<string, string>();
    const isKept = (name: string) => files.has(name) && name !== markerFile;
    slotFiles[slot] = null;
    for (const name of previous.keys())
      if (!isKept(name)) await rm(join(folder, slot, name), { force: true });
    slotFiles[slot] = new Map(Array.from(previous).filter(([name]) => isKept(name)));
  }

  /** Waits until BIRD has finished its reconfiguration, which includes ending removed sessions. */
  async function waitUntilUp(): Promise<void> {
    const deadline = clock.now() + healthTimeoutMs;
    for (;;) {
      const { code, text } = await bird("show status");
      if (code === codes.up) return;
      if (clock.now() > deadline) throw new Error(`BIRD did not finish its reconfiguration: ${text}`);
      await clock.sleep(healthPollMs);
    }
  }

  async function assertHealthy(files: BirdFiles): Promise<void> {
    await waitUntilUp();
    if ((await readRunningMarker()) !== markerOf(files)) {
      throw new Error(`BIRD does not read the new files: its configuration must include ${current}/*.conf`);
    }
  }

  function change(peerings: BirdFiles, report: SetReport): GenerationChange {
    const next: Slot = confirmedSlot === "a" ? "b" : "a";
    const files = withMarker(peerings);
    let state: "not loaded" | "loaded" | "confirmed" = "not loaded";

    async function confirmInBird(): Promise<void> {
      await assertHealthy(files);
      const { code, text } = await bird("configure confirm");
      if (code !== codes.confirmed) throw new Error(`BIRD did not confirm the new configuration: ${text}`);
    }

    return {
      write: () => write(next, files),
      load: async () => {
        // Not before: a step beside `write` may have failed.
        report.step({ code: "files-written", facts: {} });
        await replaceLink(current, next);
        const reply = await bird(`configure timeout ${undoSeconds}`);
        if (!isReconfigured(reply))
          throw new RouterRefusedError({ code: "bird-refused", facts: {} }, { detail: reply.text });
        state = "loaded";
        report.step({ code: "bird-loaded", facts: {} });
        report.completed("sessions");
      },
      confirm: async () => {
        await confirmInBird().catch((error: Error) => {
          const finding = { code: "health-check-failed", facts: {} } as const;
          throw new RouterRefusedError(finding, { detail: error.message, cause: error });
        });
        state = "confirmed";
        await replaceLink(confirmedLink, next);
        const previousSlot = confirmedSlot;
        confirmedSlot = next;
        await deleteRemoved(previousSlot, files);
        // BIRD may have restarted before the link was replaced, with the generation confirmed until then.
        if (!(await isConfirmed()))
          throw new Error("BIRD restarted while its new configuration was being confirmed");
        report.step({ code: "confirmed", facts: {} });
      },
      unload: async () => {
        if (state === "confirmed") return;
        await replaceLink(current, confirmedSlot);
        if (state === "loaded") await undo();
      },
      discard: async () => {
        // After a `write` that failed, the next one reads which files there are.
        const isWritten = state !== "confirmed" && slotFiles[next] !== null;
        if (isWritten) await deleteRemoved(next, slotFiles[confirmedSlot] ?? new Map());
      },
    };
  }

  return {
    recover,
    change,
    isConfirmed,
    readConfirmed,
    isCurrent: (files) => hasSameFiles(slotFiles[confirmedSlot], withMarker(files)),
    onlyRemoves: (files) =>
      Array.from(files).every(([name, text]) => slotFiles[confirmedSlot]?.get(name) === text),
  };
}

function isReconfigured({ code }: BirdReply): boolean {
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

function hasSameFiles(a: BirdFiles | null, b: BirdFiles): boolean {
  return a?.size === b.size && Array.from(b).every(([name, text]) => a.get(name) === text);
}

/** Adds the marker file. An empty generation gets none, so that a node without peerings has no file. */
function withMarker(files: BirdFiles): BirdFiles {
  if (files.size === 0) return files;
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(`${name}\n${text}\0`);
  const text = `define ${marker} = "${hash.digest("hex")}";\n`;
  return new Map([...files, [markerFile, text]]);
}

function markerOf(files: BirdFiles): string | null {
  return /"([0-9a-f]+)"/.exec(files.get(markerFile) ?? "")?.[1] ?? null;
}
