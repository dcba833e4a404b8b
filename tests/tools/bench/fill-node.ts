/** Measures one more peering on a node that already has many. */
import type { Bench } from "./bench.ts";
import { established, row, total } from "./time-peerings.ts";
import { compareWithTarget, median, formatMs, formatTable, print } from "./figures.ts";
import { openFillers } from "./fillers.ts";
import type { PeeringRun } from "./peering-run.ts";
import type { StepTimes } from "./raw-steps.ts";

/** `configure` is fast, so more runs average out single outliers. */
const configuresPerRun = 6;

interface Size {
  readonly peers: number;
  readonly runs: readonly PeeringRun[];
  readonly raw: readonly StepTimes[];
  readonly configured: readonly StepTimes[];
}

export async function fillNode(bench: Bench, sizes: readonly number[], runs: number): Promise<void> {
  const fillers = await openFillers(bench.lab, bench.pair.host, bench.pair.plan);
  const measured: Size[] = [];
  for (const peers of sizes) {
    const startedAt = performance.now();
    await fillers.fillTo(peers);
    process.stderr.write(`(${peers} peers after ${formatMs((performance.now() - startedAt) / 1000)} s)\n`);
    measured.push(await measure(bench, peers, runs));
  }
  print(`
With peers already on the node, ${runs} runs each; milliseconds, median and worst. These peers are STUBS: their
WireGuard is one process that responds for all of them, behind pairs of virtual Ethernet devices. Their BGP sessions
are real and Established, with one BIRD at the remote end. The measured peer is real.

${formatTable([
  ["peers on the node", ...measured.flatMap(({ peers }) => [String(peers), "worst"])],
  row("Submit to Established", ...measured.map((size) => established(size.runs))),
  row(
    "Submit to task finished",
    ...measured.map((size) => size.runs.map(({ milestones }) => milestones.taskEnded)),
  ),
  row("agent's apply", ...measured.map((size) => size.runs.map(({ applyMs }) => applyMs))),
  row("raw steps", ...measured.map(({ raw }) => raw.map(total))),
  row("configure, no change", ...measured.map((size) => of(size, "nothing"))),
  row("configure, one more peer", ...measured.map((size) => of(size, "one more peer"))),
  row("configure, one peer less", ...measured.map((size) => of(size, "one peer less"))),
])}
${measured.map(verdict).join("")}`);
}

async function measure({ pair, raw }: Bench, peers: number, count: number): Promise<Size> {
  const runs: PeeringRun[] = [];
  const rawSteps: StepTimes[] = [];
  const configured: StepTimes[] = [];
  for (let run = 0; run < count; run += 1) {
    runs.push(await pair.run());
    rawSteps.push(await raw.call("create", raw.peering));
    await raw.call("remove", raw.peering);
  }
  for (let run = 0; run < count * configuresPerRun; run += 1)
    configured.push(await raw.call("configure", raw.peering));
  return { peers, runs, raw: rawSteps, configured };
}

function of({ configured }: Size, step: string): readonly number[] {
  return configured.map((times) => times[step] ?? 0);
}

function verdict(size: Size): string {
  const at = `${size.peers} peers`;
  const more = median(of(size, "one more peer")) / median(of(size, "nothing"));
  const apply = median(size.runs.map((run) => run.applyMs)) / median(size.raw.map(total));
  return [
    compareWithTarget(
      `${at}: median from Submit to Established`,
      median(established(size.runs)),
      1000,
      " ms",
    ),
    compareWithTarget(`${at}: configure with one more peer, relative to no change`, more, 1.3, " times"),
    compareWithTarget(`${at}: apply relative to raw steps`, apply, 2, " times"),
  ].join("");
}
