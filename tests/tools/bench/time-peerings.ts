/**
 * Measures peerings from Submit to Established, in the present and in the former order of an apply by turns, and compares the
 * agent's apply with its raw steps.
 */
import { type Bench, type OrderName, orderNames } from "./bench.ts";
import { compareWithTarget, median, formatMs, formatTable, print, worst } from "./figures.ts";
import type { Milestones, PeeringRun } from "./peering-run.ts";
import type { StepTimes } from "./raw-steps.ts";

const milestoneNames: ReadonlyArray<readonly [keyof Milestones, string]> = [
  ["responded", "response to Submit"],
  ["applyStarted", "agent starts"],
  ["applied", "agent has applied and confirmed"],
  ["taskEnded", "task seen as finished (polled every 20 ms)"],
  ["handshake", "first handshake"],
  ["established", "Established on the node"],
];

/** Targets, in milliseconds. */
export const targets = { medianMs: 80, worstMs: 200, applyToRaw: 1.5 } as const;

/** Runs of the same peering, by turns. */
export interface Series {
  readonly runs: Readonly<Record<OrderName, readonly PeeringRun[]>>;
  readonly raw: readonly StepTimes[];
}

export async function runByTurns({ pair, raw }: Bench, count: number): Promise<Series> {
  const runs: Record<OrderName, PeeringRun[]> = { now: [], "former order": [] };
  const rawSteps: StepTimes[] = [];
  for (let run = 0; run < count; run += 1) {
    for (const order of orderNames) runs[order].push(await pair.run(order));
    rawSteps.push(await raw.call("create", raw.peering));
    await raw.call("remove", raw.peering);
  }
  return { runs, raw: rawSteps };
}

export async function timePeerings(bench: Bench, count: number): Promise<void> {
  const { runs, raw } = await runByTurns(bench, count);
  print(`
From Submit to Established, ${count} runs of each order, by turns; milliseconds since Submit, median and worst. The
participant's side is up and has waited for a long time, with BIRD's default timers. In the former order, a tunnel gets
its peer before BIRD knows the session, and no step of the apply runs beside another.

${formatTable([
  ["", ...orderNames.flatMap((name) => [name, "worst"])],
  ...milestoneNames.map(([key, words]) =>
    row(words, ...orderNames.map((name) => runs[name].map(({ milestones }) => milestones[key]))),
  ),
])}
${compareEstablished("", runs.now)}
The agent's apply and the same commands by hand, one after the other (raw), in the same runs on the same node.

${formatTable([
  ["", "median", "worst"],
  ...orderNames.map((name) =>
    row(
      `agent, ${name}`,
      runs[name].map(({ applyMs }) => applyMs),
    ),
  ),
  ...parts(raw),
  row("raw, total", raw.map(total)),
])}
${compareApply("", runs.now, raw)}`);
}

/** @param at what the lines begin with */
export function compareEstablished(at: string, runs: readonly PeeringRun[]): string {
  const ms = established(runs);
  return [
    compareWithTarget(`${at}median from Submit to Established`, median(ms), targets.medianMs, " ms"),
    compareWithTarget(`${at}worst`, worst(ms), targets.worstMs, " ms"),
  ].join("");
}

export function compareApply(at: string, runs: readonly PeeringRun[], raw: readonly StepTimes[]): string {
  const ratio = median(runs.map(({ applyMs }) => applyMs)) / median(raw.map(total));
  return compareWithTarget(`${at}apply relative to raw steps (medians)`, ratio, targets.applyToRaw, " times");
}

export function established(runs: readonly PeeringRun[]): readonly number[] {
  return runs.map(({ milestones }) => milestones.established);
}

export function total(times: StepTimes): number {
  return Object.values(times).reduce((sum, one) => sum + one, 0);
}

/** Returns a row with median and worst of each series. */
export function row(words: string, ...series: ReadonlyArray<readonly number[]>): readonly string[] {
  return [words, ...series.flatMap((values) => [formatMs(median(values)), formatMs(worst(values))])];
}

function parts(runs: readonly StepTimes[]): ReadonlyArray<readonly string[]> {
  return Object.keys(runs[0] ?? {}).map((name) =>
    row(
      `raw, ${name}`,
      runs.map((run) => run[name] ?? 0),
    ),
  );
}
