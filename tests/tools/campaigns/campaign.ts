/** The command line that all campaigns share: which seeds run, what is printed, and where the logs of failures are. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { repository } from "../../support/repository.ts";

export interface SeedRun {
  readonly seed: number;
  readonly variant: string;
  /** An empty folder for the logs. It is removed after a sequence without a failure. */
  readonly logs: string;
  /** Whether no other sequence runs, so that a failure may be looked at more closely. */
  readonly isAlone: boolean;
}

export interface Outcome {
  /** Counts by what was counted: kills, steps, deployments. */
  readonly counts: Readonly<Record<string, number>>;
  /** Null if every invariant held. */
  readonly failure: string | null;
  /** What happened, a line each. */
  readonly steps: readonly string[];
}

/** What a campaign promises does not hold. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

export interface Campaign {
  /** The npm script. */
  readonly script: string;
  /** What seeds run on; by default one environment without a name. */
  readonly variants?: readonly string[];
  /** The number of seeds that run at the same time. */
  readonly jobs?: number;
  readonly run: (run: SeedRun) => Promise<Outcome>;
}

/**
 * Runs a campaign with the arguments of the process: `--seeds 1-500` or `--seeds 7`, and `--on` with one of the variants.
 * Prints a line for each sequence, then the sums. The steps are printed after a failure, and if only one sequence runs. The
 * exit code is 1 after a failure.
 */
export async function runCampaign({ script, variants = [""], jobs = 1, run }: Campaign): Promise<void> {
  const { values } = parseArgs({
    options: { seeds: { type: "string", default: "1-10" }, on: { type: "string" } },
  });
  const chosen = variants.filter((variant) => (values.on ?? variant) === variant);
  if (chosen.length === 0) throw new Error(`--on is one of ${variants.join(", ")}`);
  const pending = parseSeeds(values.seeds).flatMap((seed) => chosen.map((variant) => ({ seed, variant })));
  const isAlone = pending.length === 1;
  const sums = new Map<string, number>();
  const add = (name: string, count: number) => sums.set(name, (sums.get(name) ?? 0) + count);
  const work = async () => {
    for (let next = pending.shift(); next; next = pending.shift()) {
      const { seed, variant } = next;
      const names = [path.basename(script.replace(":", "-")), variant, seed].filter((name) => name !== "");
      const logs = path.join(repository, "build/campaigns", names.join("-"));
      await rm(logs, { recursive: true, force: true });
      await mkdir(logs, { recursive: true });
      const startedAt = performance.now();
      const { counts, failure, steps } = await run({ seed, variant, logs, isAlone });
      const seconds = (performance.now() - startedAt) / 1000;
      const figures = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
      const title = `${failure === null ? "ok    " : "FAILED"} seed ${seed} ${variant}`.trim();
      print(`${title}: ${figures.join(", ")}, ${seconds.toFixed(1)} s`);
      for (const [name, count] of Object.entries(counts)) add(`${variant} ${name}`.trim(), count);
      add(`${variant} sequences`.trim(), 1);
      if (failure !== null || isAlone) for (const step of steps) print(`  ${step}`);
      if (failure === null) {
        await rm(logs, { recursive: true });
        continue;
      }
      process.exitCode = 1;
      add(`${variant} sequences failed`.trim(), 1);
      await writeFile(path.join(logs, "steps.log"), `${[...steps, "", failure].join("\n")}\n`);
      print(`\n${failure}\n\nLogs: ${path.relative(repository, logs)}`);
      print(`Repeat: npm run ${script} -- --seeds ${seed}${variant && ` --on ${variant}`}\n`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  for (const [name, count] of sums) print(`${count} ${name}`);
}

function parseSeeds(text: string): readonly number[] {
  const [, first = "", last = first] = /^([0-9]{1,9})(?:-([0-9]{1,9}))?$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (first === "" || count < 1) throw new Error(`"${text}" is not a range of seeds such as 1-500`);
  return Array.from({ length: count }, (_, index) => Number(first) + index);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
