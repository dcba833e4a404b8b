/** Measures one more peering on a node that already has many. */
import type { Bench } from "./bench.ts";
import {
  compareApply,
  compareEstablished,
  established,
  row,
  runByTurns,
  type Series,
  total,
} from "./time-peerings.ts";
import { compareWithTarget, median, formatMs, formatTable, print } from "./figures.ts";
import { openFillers } from "./fillers.ts";
import type { StepTimes } from "./raw-steps.ts";

/** `configure` is fast, so more runs average out single outliers. */
const configuresPerRun = 6;

interface Size extends Series {
  readonly peers: number;
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
With peers already on the node, ${runs} runs of each order, by turns; milliseconds, median and worst. These peers are STUBS: their
WireGuard is one process that responds for all of them, behind pairs of virtual Ethernet devices. Their BGP sessions
are real and Established, with one BIRD at the remote end. The measured peer is real.

${formatTable([
  ["peers on the node", ...measured.flatMap(({ peers }) => [String(peers), "worst"])],
  row("Submit to Established", ...measured.map((size) => established(size.runs.now))),
  row("in the former order", ...measured.map((size) => established(size.runs["former order"]))),
  row(
    "Submit to task finished",
    ...measured.map((size) => size.runs.now.map(({ milestones }) => milestones.taskEnded)),
  ),
  row("agent's apply", ...measured.map((size) => size.runs.now.map(({ applyMs }) => applyMs))),
  row(
    "in the former order",
    ...measured.map((size) => size.runs["former order"].map(({ applyMs }) => applyMs)),
  ),
  row("raw steps", ...measured.map(({ raw }) => raw.map(total))),
  row("configure, no change", ...measured.map((size) => of(size, "nothing"))),
  row("configure, one more peer", ...measured.map((size) => of(size, "one more peer"))),
  row("configure, one peer less", ...measured.map((size) => of(size, "one peer less"))),
])}
${measured.map(verdict).join("")}`);
}

async function measure(bench: Bench, peers: number, count: number): Promise<Size> {
  const series = await runByTurns(bench, count);
  const configured: StepTimes[] = [];
  for (let run = 0; run < count * configuresPerRun; run += 1)
    configured.push(await bench.raw.call("configure", bench.raw.peering));
  return { peers, ...series, configured };
}

function of({ configured }: Size, step: string): readonly number[] {
  return configured.map((times) => times[step] ?? 0);
}

function verdict(size: Size): string {
  const at = `${size.peers} peers`;
  const more = median(of(size, "one more peer")) / median(of(size, "nothing"));
  return [
    compareEstablished(`${at}: `, size.runs.now),
    compareWithTarget(`${at}: configure with one more peer, relative to no change`, more, 1.3, " times"),
    compareApply(`${at}: `, size.runs.now, size.raw),
  ].join("");
}
