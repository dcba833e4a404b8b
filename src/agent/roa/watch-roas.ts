/**
 * Keeps BIRD's ROAs current from their sources. What cannot be fetched, read or loaded changes nothing: BIRD
 * goes on with the ROAs it has, and the node's health says since when.
 */
import type { Clock } from "../clock.ts";
import type { BirdControl } from "../drivers/bird/control-socket.ts";
import type { Log } from "../log.ts";
import type { Exclusive } from "../reconcile/exclusive.ts";
import { loadRoas, type RoaFile, type RoaFolders } from "./load-roas.ts";
import { parseRoas } from "./parse-roas.ts";

export interface RoaOptions {
  /** The source of each family that has one. */
  readonly sources: { readonly ipv4?: string | undefined; readonly ipv6?: string | undefined };
  readonly folders: RoaFolders;
  readonly everyMinutes: number;
  readonly bird: BirdControl;
  /** Runs a work while no deployment is under way. */
  readonly exclusive: Exclusive;
  /** Rejects where the source cannot be read. */
  readonly read: (source: string, signal: AbortSignal) => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RoaWatch extends AsyncDisposable {
  /** What is wrong with the ROAs, a sentence. */
  readonly issues: () => readonly string[];
}

const minuteMs = 60_000;
/** After a round that failed. */
const retryMs = minuteMs;
const families = [
  { family: "ipv4", bits: 32, file: "roa4.conf" },
  { family: "ipv6", bits: 128, file: "roa6.conf" },
] as const;

export function watchRoas(options: RoaOptions): RoaWatch {
  const { sources, folders, everyMinutes, bird, exclusive, read, clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const started = clock.now();
  let loadedAt: number | null = null;
  let fault: string | null = null;

  async function round(): Promise<void> {
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
    // The last life may have ended between the files and BIRD.
    const told = await exclusive(() => loadRoas(folders, bird, roas, loadedAt === null));
    if (told) {
      log.info(
        { roas: Object.fromEntries(Array.from(roas, ([name, { length }]) => [name, length])) },
        "BIRD has new ROAs",
      );
    }
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        await round();
        loadedAt = clock.now();
        fault = null;
      } catch (error) {
        if (signal.aborted) return;
        fault = (error as Error).message;
        log.warn({ err: error }, "the ROAs were not renewed");
      }
      await clock.sleep(fault === null ? everyMinutes * minuteMs : retryMs, signal);
    }
  }

  const looping = loop();
  return {
    issues: () => {
      if (fault === null) return [];
      const minutes = Math.round((clock.now() - (loadedAt ?? started)) / minuteMs);
      const since = loadedAt === null ? "since the agent started" : `for ${minutes} minutes`;
      return [`The ROAs were not renewed ${since}, and BIRD goes on with those it has: ${fault}.`];
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await looping;
    },
  };
}
