/**
 * The operator's pause of repairs, a file in the agent's state folder. `peerdeck-agent pause` creates it and `resume` deletes
 * it, also while the agent runs, which only reads it. Its time is the beginning of the pause.
 */
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../domain/findings/findings.ts";
import { replaceFile, syncPath } from "../../system/durable-file.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";

export interface RepairPause {
  /** Whether drift must not be repaired now. */
  readonly isPaused: () => Promise<boolean>;
  /** For the node's health. */
  readonly findings: () => Promise<readonly Finding[]>;
}

/** For an agent whose router does not drift. */
export const neverPaused: RepairPause = { isPaused: async () => false, findings: async () => [] };

const fileIn = (folder: string) => join(folder, "repairs-paused");

/** Reads since when repairs are paused, in milliseconds since 1970; null if they are not. */
export async function readPausedAt(folder: string): Promise<number | null> {
  try {
    return (await stat(fileIn(folder))).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Returns the finding that repairs are paused, if they are. */
export async function findRepairPause(folder: string, now: number): Promise<readonly Finding[]> {
  return describe(await readPausedAt(folder), now);
}

function describe(pausedAt: number | null, now: number): readonly Finding[] {
  if (pausedAt === null) return [];
  const seconds = Math.max(0, Math.round((now - pausedAt) / 1000));
  return [{ code: "repairs-paused", facts: { seconds } }];
}

/** Resolves when the pause would survive a power cut. */
export async function pauseRepairs(folder: string): Promise<void> {
  await replaceFile(fileIn(folder), "peerdeck-agent resume deletes this file.\n");
}

export async function resumeRepairs(folder: string): Promise<void> {
  await rm(fileIn(folder));
  await syncPath(folder);
}

/** Watches the pause of the agent with this state folder, and logs its beginning and end when it is read. */
export function createRepairPause(folder: string, clock: Pick<Clock, "now">, log: Log): RepairPause {
  let wasPaused = false;

  async function read(): Promise<number | null> {
    const pausedAt = await readPausedAt(folder);
    const isPaused = pausedAt !== null;
    if (isPaused && !wasPaused)
      log.warn({}, "repairs are paused: what drifted stays as it is, until peerdeck-agent resume");
    if (!isPaused && wasPaused) log.info({}, "repairs are resumed");
    wasPaused = isPaused;
    return pausedAt;
  }

  return {
    isPaused: async () => (await read()) !== null,
    findings: async () => describe(await read(), clock.now()),
  };
}
