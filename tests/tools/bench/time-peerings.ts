/** Measures peerings from Submit to Established, and compares the agent's apply with its raw steps. */
import type { Bench } from "./bench.ts";
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

/** No run may take longer. */
const maxMs = 1500;

export async function timePeerings(bench: Bench, runs: number): Promise<void> {
  const done: PeeringRun[] = [];
  const raw: StepTimes[] = [];
  for (let run = 0; run < runs; run += 1) {
    done.push(await bench.pair.run());
    raw.push(await bench.raw.call("create", bench.raw.peering));
    await bench.raw.call("remove", bench.raw.peering);
  }
  const establishedMs = established(done);
  const applies = done.map(({ applyMs }) => applyMs);
  const raws = raw.map(total);
  print(`
From Submit to Established, ${runs} runs; milliseconds since Submit. The participant's side is up and has waited for a
long time, with BIRD's default timers.

${formatTable([
  ["", "median", "worst"],
  ...milestoneNames.map(([key, words]) =>
    row(
      words,
      done.map(({ milestones }) => milestones[key]),
    ),
  ),
])}
${compareWithTarget("median from Submit to Established", median(establishedMs), 1000, " ms")}${compareWithTarget("worst", worst(establishedMs), maxMs, " ms")}
The agent's apply and the same steps by hand (raw), in the same runs on the same node; milliseconds.

${formatTable([["", "median", "worst"], row("agent", applies), ...parts(raw), row("raw, total", raws)])}
${compareWithTarget("apply relative to raw steps (medians)", median(applies) / median(raws), 2, " times")}`);
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
