/**
 * Updates BIRD's ROAs from their sources. If a source cannot be fetched, parsed or loaded, BIRD keeps its
 * ROAs, and the node's health reports since when.
 */
import type { Clock } from "../../clock.ts";
import type { BirdControl } from "../bird/control-socket.ts";
import type { UnloadedChanges } from "../bird/unloaded-changes.ts";
import type { Log } from "../../log.ts";
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
  /** Runs a job while no deployment is in progress. */
  readonly exclusive: Exclusive;
  /** Rejects if the source cannot be read. */
  readonly read: (source: string, signal: AbortSignal) => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RoaMonitor extends AsyncDisposable {
  /** Problems with the ROAs, as sentences. */
  readonly issues: () => readonly string[];
}

const minuteMs = 60_000;
/** The pause after a failed update. */
const retryMs = minuteMs;
const families = [
  { family: "ipv4", bits: 32, file: "roa4.conf" },
  { family: "ipv6", bits: 128, file: "roa6.conf" },
] as const;

export function monitorRoas(options: RoaMonitorOptions): RoaMonitor {
  const { sources, everyMinutes, exclusive, read, clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const started = clock.now();
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
    const wasReloaded = await exclusive(() => loadRoas(options, roas, loadedAt === null));
    if (wasReloaded) {
      log.info(
        { roas: Object.fromEntries(Array.from(roas, ([name, { length }]) => [name, length])) },
        "BIRD loaded new ROAs",
      );
    }
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        await updateRoas();
        loadedAt = clock.now();
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
  return {
    issues: () => {
      if (failure === null) return [];
      const minutes = Math.round((clock.now() - (loadedAt ?? started)) / minuteMs);
      const since = loadedAt === null ? "since the agent started" : `for ${minutes} minutes`;
      return [`The ROAs have not been updated ${since}; BIRD keeps the ones it has. Reason: ${failure}.`];
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}
