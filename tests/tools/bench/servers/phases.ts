/** Phases of load, with the CPU time that every program uses meanwhile. */
import { cpuUsage } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import type { Installation } from "./installation.ts";
import { createLoad, type Load, type LoadRecord, type RequestKind } from "./load.ts";
import { runAtOnce, runAtRate } from "./pace.ts";
import { type Population, resetRateLimits } from "./participants.ts";
import { readUsage, subtractUsage, type Usage } from "./usage.ts";

export interface Phase {
  readonly seconds: number;
  readonly record: LoadRecord;
  /** CPU milliseconds by program. */
  readonly usage: Usage;
}

export interface PhaseOptions {
  readonly seconds: number;
  /** Runs the load until it is over. */
  readonly run: (load: Load, isOver: () => boolean) => Promise<void>;
}

export async function measurePhase(
  installation: Installation,
  population: Population,
  { seconds, run }: PhaseOptions,
): Promise<Phase> {
  await resetRateLimits(installation);
  population.onTaskEnd.clear();
  const programs = installation.programs();
  const load = createLoad(installation, population);
  const before = readUsage(programs);
  const ownBefore = cpuUsage();
  const startedAt = performance.now();
  await run(load, () => performance.now() >= startedAt + 1_000 * seconds);
  const duration = performance.now() - startedAt;
  const usage = subtractUsage(readUsage(programs), before);
  const own = cpuUsage(ownBefore);
  return {
    seconds: duration / 1_000,
    record: load.record,
    usage: { ...usage, load: (own.user + own.system) / 1_000 },
  };
}

/** How many requests of a kind are under way at once when nothing else is measured; submits at most one for each peering. */
const atOnce: Readonly<Record<RequestKind, number>> = { read: 16, login: 8, submit: 16 };

export const idle: PhaseOptions["run"] = async (_load, isOver) => {
  while (!isOver()) await pause(100);
};

export function onlyRequests(kind: RequestKind): PhaseOptions["run"] {
  return (load, isOver) => runAtOnce(load[kind], atOnce[kind], isOver);
}

/** Requests a second. */
export type Rates = Readonly<Record<RequestKind, number>>;

export function atRates(rates: Rates): PhaseOptions["run"] {
  return async (load, isOver) => {
    await Promise.all(
      (["read", "login", "submit"] as const).map((kind) => runAtRate(load[kind], rates[kind], isOver)),
    );
  };
}
