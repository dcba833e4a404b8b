/**
 * What the server does by itself: every minute it observes all nodes, compares them with the database and informs them of each
 * other, all at once. At the end of a half hour the observation has more to store.
 */
import { setTimeout as pause } from "node:timers/promises";
import { readFamilyCpu, readProcessCpu } from "./cpu.ts";
import { type Installation, waitUntilQuiet } from "./installation.ts";

export interface MinuteFigures {
  readonly cpuMs: number;
  readonly databaseCpuMs: number;
  readonly stallMs: number;
}

export interface IdleFigures {
  /** With the first observation after a half hour; null if a busy machine has missed it. */
  readonly halfHour: MinuteFigures | null;
  readonly usual: MinuteFigures;
  /** The CPU time of a minute without requests, with what happens every minute. */
  readonly idleCpuMs: number;
}

const minuteMs = 60_000;
/** The measurement begins so long before the server does what it does every minute. */
const leadMs = 1_000;
/** A run of requests that begins within so much time after the start ends before the second minute. */
export const requestsMs = 50_000;

/** Measures the second and the third minute of the server. */
export async function measureMinutes(installation: Installation): Promise<IdleFigures> {
  const { pid } = installation;
  const first = Math.ceil((performance.now() + leadMs - installation.startedAt) / minuteMs);
  const halfHour = first === 1 ? await measureMinute(installation, first) : null;
  const before = { at: performance.now(), cpu: readProcessCpu(pid) };
  const usual = await measureMinute(installation, first === 1 ? 2 : first);
  await pause(Math.max(0, before.at + minuteMs - performance.now()));
  const share = minuteMs / (performance.now() - before.at);
  return { halfHour, usual, idleCpuMs: (readProcessCpu(pid) - before.cpu) * share };
}

/** Measures what the server does at the beginning of its n-th minute. */
async function measureMinute(
  { pid, probe, startedAt, database }: Installation,
  minute: number,
): Promise<MinuteFigures> {
  const readDatabase = () => (database.pid === null ? 0 : readFamilyCpu(database.pid));
  await pause(Math.max(0, startedAt + minute * minuteMs - leadMs - performance.now()));
  const before = [readProcessCpu(pid), readDatabase()] as const;
  const stallMs = await probe.measureStall(async () => {
    await pause(2 * leadMs);
    await waitUntilQuiet(pid);
  });
  return { stallMs, cpuMs: readProcessCpu(pid) - before[0], databaseCpuMs: readDatabase() - before[1] };
}
