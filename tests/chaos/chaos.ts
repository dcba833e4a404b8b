/**
 * `npm run chaos:pwa`: random sequences of everything that happens to an app on a phone, against the built app and
 * the demo. Stops at the first that breaks a promise, and says which seed repeats it.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildVersions } from "./builds.ts";
import { draw, run, shorten } from "./sequence.ts";
import { prepareData } from "./world.ts";

const { values } = parseArgs({
  options: {
    /** Of the first sequence; each further one has the next number. */
    seed: { type: "string" },
    count: { type: "string", default: "200" },
    length: { type: "string", default: "30" },
    /** Looks for a shorter sequence that fails as well: minutes. */
    shrink: { type: "boolean", default: false },
    /** How many run side by side. */
    jobs: { type: "string", default: "2" },
    /** Says every step. */
    verbose: { type: "boolean", default: false },
    /** Goes on after a failure. */
    continue: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const count = Number(values.count);

say(`${count} sequences from seed ${seed} on\n`);
const versions = await buildVersions(["a", "b"]);
await using data = await prepareData(versions[0] ?? "");
const happened = new Map<string, number>();
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
  const began = performance.now();
  const sequence = draw(current, Number(values.length));
  const options = {
    versions,
    data: data.folder,
    screenshot: join(tmpdir(), `peerdeck-chaos-${current}.png`),
  };
  const { happened: steps, fault } = await run(sequence, options);
  for (const step of steps) {
    const kind = step.replace(/ (\d+|\/.*)$/, "");
    happened.set(kind, (happened.get(kind) ?? 0) + 1);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(`${fault === null ? "ok    " : "FAILED"} seed ${current}, ${steps.length} steps, ${seconds} s\n`);
  if (values.verbose || fault !== null) for (const step of steps) say(`  ${step}\n`);
  if (fault === null) return;
  failures += 1;
  process.exitCode = 1;
  say(`\n${fault}\n\nScreen: ${options.screenshot}\n`);
  say(`Again: npm run chaos:pwa -- --seed ${current} --count 1 --length ${values.length}\n\n`);
  if (!values.shrink) return;
  const short = await shorten(sequence, options);
  say(`The same with no step too many: ${short.map(({ name }) => name).join(", ")}\n`);
}

say("\nWhat happened, and how often:\n");
for (const [kind, times] of Array.from(happened).toSorted(([, a], [, b]) => b - a))
  say(`  ${String(times).padStart(5)}  ${kind}\n`);

function say(text: string): void {
  process.stdout.write(text);
}
