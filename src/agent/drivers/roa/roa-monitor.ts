/**
 * Updates BIRD's ROAs from their sources. If a source cannot be fetched, parsed or loaded, BIRD keeps its
 * ROAs, and the node's health reports since when.
 * The time of the last success is stored as the time of the files, so that it survives a restart of the agent.
 */
import { stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "#domain/findings/findings.ts";
import type { Clock } from "../../clock.ts";
import type { BirdControl } from "../bird/control-socket.ts";
import type { UnloadedChanges } from "../bird/unloaded-changes.ts";
import type { Log } from "../../log.ts";
import { toOutput } from "../../router-output.ts";
import type { Exclusive } from "../../exclusive.ts";
import { loadRoas, type RoaFile, type RoaFolders } from "./load-roas.ts";
import { parseRoas } from "./parse-roas.ts";

export interface RoaMonitorOptions {
  /** The source of each address family, if it has one. */
  readonly sources: { readonly ipv4?: string | undefined; readonly ipv6?: string | undefined };
  readonly folders: RoaFolders;
  readonly everyMinutes: number;
  readonly bird: BirdControl;
  readonly unloadedChanges: UnloadedChanges;
  readonly followDisabled: () => Promise<void>;
  /** Runs a job while no deployment is in progress. */
  readonly exclusive: Exclusive;
  /** Rejects if the source cannot be read. */
  readonly read: (source: string, signal: AbortSignal) => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RoaMonitor extends AsyncDisposable {
  readonly findings: () => readonly Finding[];
  /** The time since BIRD got the ROAs of every source; undefined if it never did. */
  readonly ageSeconds: () => number | undefined;
}

const minuteMs = 60_000;
/** The pause after a failed update. */
const retryMs = minuteMs;
const families = [
  { family: "ipv4", bits: 32, file: "roa4.conf" },
  { family: "ipv6", bits: 128, file: "roa6.conf" },
] as const;

export function monitorRoas(options: RoaMonitorOptions): RoaMonitor {
  const { sources, folders, everyMinutes, exclusive, read, clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let hasLoaded = false;
  let loadedAt: number | null = null;
  let failure: string | null = null;

  async function updateRoas(): Promise<void> {
    const roas = new Map<RoaFile, readonly string[]>();
    for (const { family, bits, file } of families) {
      const source = sources[family];
      if (source === undefined) continue;
      try {
        roas.set(file, parseRoas(await read(source, signal), bits));
      } catch (error) {
        throw new Error(`${source} cannot be used: ${(error as Error).message}`, { cause: error });
      }
    }
    // The previous agent process may have ended after it wrote the files and before BIRD read them.
    const wasReloaded = await exclusive(() => loadRoas(options, roas, !hasLoaded));
    hasLoaded = true;
    if (wasReloaded) {
      log.info(
        { roas: Object.fromEntries(Array.from(roas, ([name, { length }]) => [name, length])) },
        "BIRD loaded new ROAs",
      );
    }
  }

  async function readFileTime(): Promise<number | null> {
    const used = families.filter(({ family }) => sources[family] !== undefined);
    const times = used.map(async ({ file }) => (await stat(join(folders.roaDir, file))).mtimeMs);
    return Promise.all(times).then(
      (found) => Math.min(...found),
      () => null,
    );
  }

  async function noteLoaded(): Promise<void> {
    loadedAt = clock.now();
    const at = new Date(loadedAt);
    const used = families.filter(({ family }) => sources[family] !== undefined);
    // Fails for a file of another user, which the agent has not replaced because its content is right.
    await Promise.allSettled(used.map(({ file }) => utimes(join(folders.roaDir, file), at, at)));
  }

  async function loop(): Promise<void> {
    loadedAt = await readFileTime();
    while (!signal.aborted) {
      try {
        await updateRoas();
        await noteLoaded();
        failure = null;
      } catch (error) {
        if (signal.aborted) return;
        failure = (error as Error).message;
        log.warn({ err: error }, "could not update the ROAs");
      }
      await clock.sleep(failure === null ? everyMinutes * minuteMs : retryMs, signal);
    }
  }

  const running = loop();
  const ageMs = () => (loadedAt === null ? null : Math.max(0, clock.now() - loadedAt));
  return {
    ageSeconds: () => {
      const age = ageMs();
      return age === null ? undefined : Math.round(age / 1000);
    },
    findings: () => {
      const age = ageMs();
      const isOld = age !== null && age > 2 * everyMinutes * minuteMs;
      if (failure === null && !isOld) return [];
      const minutes = age === null ? null : Math.round(age / minuteMs);
      return [{ code: "roas-outdated", facts: { minutes, output: toOutput(failure ?? "") } }];
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}
