/** From Submit to Established by step, beside BIRD's default timers; the agent's apply beside its raw steps. */
import type { Bench } from "./bench.ts";
import { aim, median, ms, table, worst } from "./figures.ts";
import type { Milestones, PeeringRun } from "./peering-run.ts";
import type { StepTimes } from "./raw-steps.ts";

const milestoneNames: ReadonlyArray<readonly [keyof Milestones, string]> = [
  ["answered", "Submit answered"],
  ["applyBegun", "agent begins"],
  ["applied", "agent has applied and confirmed"],
  ["taskEnded", "task seen as ended (asked every 20 ms)"],
  ["handshake", "first handshake"],
  ["established", "Established on the node"],
];

const slowMs = 1500;

export async function compareTimers(bench: Bench, runs: number, say: (text: string) => void): Promise<void> {
  const tuned: PeeringRun[] = [];
  const untuned: PeeringRun[] = [];
  const raw: StepTimes[] = [];
  for (let run = 0; run < runs; run += 1) {
    tuned.push(await bench.tuned.run());
    raw.push(await bench.raw.ask("make", bench.raw.peering));
    await bench.raw.ask("remove", bench.raw.peering);
    untuned.push(await bench.untuned.run());
  }
  const [ours, defaults] = [established(tuned), established(untuned)];
  const applies = tuned.map(({ applyMs }) => applyMs);
  const raws = raw.map(total);
  say(`
From Submit to Established, ${runs} runs each, turn by turn; milliseconds since Submit. The participant's side is
up and has waited long, with BIRD's default timers.

${table([
  ["", "ours median", "worst", "BIRD's timers median", "worst"],
  ...milestoneNames.map(([key, words]) => {
    const [a = [], b = []] = [tuned, untuned].map((all) => all.map(({ milestones }) => milestones[key]));
    return row(words, a, b);
  }),
])}
  Runs of more than ${slowMs / 1000} s: ours ${slow(ours)} of ${runs}, with BIRD's timers ${slow(defaults)} of ${runs}.
  Ours take ${ms((100 * median(ours)) / median(defaults))} % of what BIRD's default timers take (medians).
${aim("median from Submit to Established", median(ours), 1000, " ms")}${aim("worst", worst(ours), slowMs, " ms")}
The agent's apply and the same by hand (raw), in the same runs on the same node; milliseconds.

${table([
  ["agent", "median", "worst"],
  ...parts(tuned.map(({ applyParts }) => Object.fromEntries(applyParts))),
  row("in all", applies),
])}
${table([["raw", "median", "worst"], ...parts(raw), row("in all", raws)])}
${aim("apply to raw steps (medians)", median(applies) / median(raws), 2, " times")}`);
}

function slow(values: readonly number[]): number {
  return values.filter((value) => value > slowMs).length;
}

export function established(runs: readonly PeeringRun[]): readonly number[] {
  return runs.map(({ milestones }) => milestones.established);
}

export function total(times: StepTimes): number {
  return Object.values(times).reduce((sum, one) => sum + one, 0);
}

/** Median and worst of each series. */
export function row(words: string, ...series: ReadonlyArray<readonly number[]>): readonly string[] {
  return [words, ...series.flatMap((values) => [ms(median(values)), ms(worst(values))])];
}

function parts(runs: readonly StepTimes[]): ReadonlyArray<readonly string[]> {
  return Object.keys(runs[0] ?? {}).map((name) =>
    row(
      name,
      runs.map((run) => run[name] ?? 0),
    ),
  );
}
