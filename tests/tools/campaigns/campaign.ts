/** The command line that all campaigns share: which seeds run, what is printed, and where results and logs are kept. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { repository } from "../../support/repository.ts";
import {
  appendResult,
  campaignFolder,
  currentCommit,
  readResults,
  type SeedResult,
  summarise,
} from "./results.ts";
import { parseSeeds } from "./seeds.ts";

export interface SeedRun {
  readonly seed: number;
  readonly variant: string;
  /** An empty folder for the logs. It is removed after a sequence without a failure. */
  readonly logs: string;
  /** Those of the campaign's own flags that were given. */
  readonly flags: ReadonlySet<string>;
}

export interface Outcome extends Pick<SeedResult, "counts" | "failure"> {
  /** What happened, a line each. Printed after a failure. */
  readonly steps: readonly string[];
}

/** What a campaign promises does not hold. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

export interface Campaign {
  /** Names the npm script and the file of results. */
  readonly name: string;
  readonly script: string;
  /** What seeds run on. The first argument of `--on` that is not one of them is refused. */
  readonly variants: readonly string[];
  /** Arguments without a value that only this campaign has. */
  readonly flags?: readonly string[];
  /** The number of seeds that run at the same time by default. */
  readonly jobs: number;
  /** Prepares what all sequences share, and returns how to run one. */
  readonly open: () => Promise<OpenCampaign>;
}

export interface OpenCampaign extends AsyncDisposable {
  readonly run: (run: SeedRun) => Promise<Outcome>;
}

/**
 * Runs a campaign with the arguments of the process. `--seeds 1-500` runs these seeds and records them; seeds that this
 * commit has passed already are left out. `--seed 7` runs one seed again, prints its steps, and records nothing.
 * `--summary` prints the recorded figures. The exit code is 1 after a failure.
 */
export async function runCampaign(campaign: Campaign): Promise<void> {
  const ownFlags = campaign.flags ?? [];
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(ownFlags.map((name) => [name, { type: "boolean" } as const])),
      seeds: { type: "string" },
      seed: { type: "string" },
      /** One of the variants; by default each seed runs on all of them. */
      on: { type: "string" },
      jobs: { type: "string" },
      /** Ends after the first failure. */
      bail: { type: "boolean", default: false },
      summary: { type: "boolean", default: false },
    },
  });
  const flags = new Set(ownFlags.filter((name) => (values as Record<string, unknown>)[name] === true));
  if (values.summary) return print(summarise(await readResults(campaign.name)));
  const replays = values.seed !== undefined;
  const variants = campaign.variants.filter((variant) => (values.on ?? variant) === variant);
  if (variants.length === 0) throw new Error(`--on is one of ${campaign.variants.join(", ")}`);
  const commit = await currentCommit();
  const passed = new Set(
    (await readResults(campaign.name))
      // Changes without a commit differ from run to run.
      .filter(
        (result) => !replays && !commit.includes("+") && result.commit === commit && result.failure === null,
      )
      .map(({ variant, seed }) => `${variant} ${seed}`),
  );
  const pending = parseSeeds(values.seed ?? values.seeds ?? "1-10")
    .flatMap((seed) => variants.map((variant) => ({ seed, variant })))
    .filter(({ variant, seed }) => !passed.has(`${variant} ${seed}`));
  print(`Commit ${commit}: ${pending.length} sequences to run, ${passed.size} passed before.`);
  if (pending.length === 0) return;

  await using open = await campaign.open();
  let failures = 0;
  const work = async () => {
    for (let next = pending.shift(); next; next = pending.shift()) {
      if (values.bail && failures > 0) return;
      if (!(await runSeed(next, open))) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs ?? campaign.jobs) }, work));
  process.exitCode = failures === 0 ? 0 : 1;
  if (!replays)
    print(`\n${summarise((await readResults(campaign.name)).filter((one) => one.commit === commit))}`);

  async function runSeed(which: { readonly seed: number; readonly variant: string }, { run }: OpenCampaign) {
    const { seed, variant } = which;
    const logs = path.join(campaignFolder, "logs", [campaign.name, variant, seed].filter(Boolean).join("-"));
    await rm(logs, { recursive: true, force: true });
    await mkdir(logs, { recursive: true });
    const startedAt = performance.now();
    const { counts, failure, steps } = await run({ seed, variant, logs, flags });
    const seconds = (performance.now() - startedAt) / 1000;
    if (!replays) {
      const at = new Date().toISOString();
      await appendResult(campaign.name, { commit, variant, seed, counts, failure, seconds, at });
    }
    const figures = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    const title = ["seed", seed, variant].join(" ").trim();
    print(
      `${failure === null ? "ok    " : "FAILED"} ${title}: ${figures.join(", ")}, ${seconds.toFixed(1)} s`,
    );
    if (failure !== null || replays) for (const step of steps) print(`  ${step}`);
    if (failure === null) {
      await rm(logs, { recursive: true });
      return true;
    }
    await writeFile(path.join(logs, "steps.log"), `${[...steps, "", failure].join("\n")}\n`);
    const on = variant === "" ? "" : ` --on ${variant}`;
    print(`\n${failure}\n\nLogs: ${path.relative(repository, logs)}`);
    print(`Repeat: npm run ${campaign.script} -- --seed ${seed}${on}\n`);
    return false;
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
