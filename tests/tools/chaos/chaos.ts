/**
 * `npm run chaos:pwa`: runs random sequences of events on a phone against the built app and the demo. Stops at the first
 * sequence that violates an invariant, and prints the seed that repeats it.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildVersions } from "./builds.ts";
import { drawSequence, runSequence, shrinkSequence } from "./sequence.ts";
import { prepareData } from "./environment.ts";

const { values } = parseArgs({
  options: {
    /** The seed of the first sequence. Each further sequence has the next number. */
    seed: { type: "string" },
    count: { type: "string", default: "200" },
    length: { type: "string", default: "30" },
    /** Searches for a shorter sequence that also fails, which takes minutes. */
    shrink: { type: "boolean", default: false },
    /** The number of sequences that run concurrently. */
    jobs: { type: "string", default: "2" },
    /** Prints every step. */
    verbose: { type: "boolean", default: false },
    /** Continues after a failure. */
    continue: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const count = Number(values.count);

print(`${count} sequences, first seed ${seed}\n`);
const versions = await buildVersions(["a", "b"]);
await using data = await prepareData(versions[0] ?? "");
const stepCounts = new Map<string, number>();
let next = 0;
let failures = 0;
await Promise.all(Array.from({ length: Number(values.jobs) }, work));

async function work(): Promise<void> {
  while (next < count && (failures === 0 || values.continue)) {
    const current = seed + next;
    next += 1;
    await runOne(current);
  }
}

async function runOne(current: number): Promise<void> {
  const startedAt = performance.now();
  const sequence = drawSequence(current, Number(values.length));
  const options = {
    versions,
    data: data.folder,
    screenshot: join(tmpdir(), `peerdeck-chaos-${current}.png`),
  };
  const { steps, failure } = await runSequence(sequence, options);
  for (const step of steps) {
    const kind = step.replace(/ (\d+|\/.*)$/, "");
    stepCounts.set(kind, (stepCounts.get(kind) ?? 0) + 1);
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  print(`${failure === null ? "ok    " : "FAILED"} seed ${current}, ${steps.length} steps, ${seconds} s\n`);
  if (values.verbose || failure !== null) for (const step of steps) print(`  ${step}\n`);
  if (failure === null) return;
  failures += 1;
  process.exitCode = 1;
  print(`\n${failure}\n\nScreen: ${options.screenshot}\n`);
  print(`Repeat: npm run chaos:pwa -- --seed ${current} --count 1 --length ${values.length}\n\n`);
  if (!values.shrink) return;
  const short = await shrinkSequence(sequence, options);
  print(`Shortest failing sequence: ${short.map(({ name }) => name).join(", ")}\n`);
}

print("\nSteps and their counts:\n");
for (const [kind, times] of Array.from(stepCounts).toSorted(([, a], [, b]) => b - a))
  print(`  ${String(times).padStart(5)}  ${kind}\n`);

function print(text: string): void {
  process.stdout.write(text);
}
