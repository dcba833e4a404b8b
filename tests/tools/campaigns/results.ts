/** The results of campaigns: one JSON line per seed, so that several runs of one commit add up. */
import { execFile } from "node:child_process";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { repository } from "../../support/repository.ts";
import { formatSeeds } from "./seeds.ts";

export const campaignFolder = path.join(repository, "build/campaigns");

export interface SeedResult {
  /** The commit's hash, with "+changes" if the working tree differed from it. */
  readonly commit: string;
  /** What the seed ran on, for example "sqlite"; empty if the campaign has one environment. */
  readonly variant: string;
  readonly seed: number;
  /** Counts by what was counted: kills, steps, deployments. */
  readonly counts: Readonly<Record<string, number>>;
  /** Null if every invariant held. */
  readonly failure: string | null;
  readonly seconds: number;
  /** When the seed ended, ISO 8601. */
  readonly at: string;
}

const run = promisify(execFile);

/** Returns the hash of the commit in the working tree, with "+changes" if a tracked file differs or a new one exists. */
export async function currentCommit(): Promise<string> {
  const changes = await git("status", "--porcelain");
  return `${await git("rev-parse", "HEAD")}${changes === "" ? "" : "+changes"}`;
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run("git", ["-C", repository, ...args])).stdout.trim();
}

const fileOf = (campaign: string) => path.join(campaignFolder, `${campaign}.jsonl`);

export async function appendResult(campaign: string, result: SeedResult): Promise<void> {
  await mkdir(campaignFolder, { recursive: true });
  await appendFile(fileOf(campaign), `${JSON.stringify(result)}\n`);
}

export async function readResults(campaign: string): Promise<readonly SeedResult[]> {
  const text = await readFile(fileOf(campaign), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as SeedResult);
}

/** Returns the figures of each commit and variant, in the order of their first result. A seed counts with its last result. */
export function summarise(results: readonly SeedResult[]): string {
  const groups = Map.groupBy(results, ({ commit, variant }) => `${commit} ${variant}`.trim());
  return Array.from(groups, ([title, all]) => {
    const last = [...new Map(all.map((result) => [result.seed, result])).values()];
    const failed = last.filter(({ failure }) => failure !== null);
    const totals = new Map<string, number>();
    for (const { counts } of last)
      for (const [name, count] of Object.entries(counts)) totals.set(name, (totals.get(name) ?? 0) + count);
    const hours = last.reduce((sum, { seconds }) => sum + seconds, 0) / 3600;
    return [
      title,
      `  ${last.length} seeds (${formatSeeds(last.map(({ seed }) => seed))}), ${hours.toFixed(2)} h`,
      ...Array.from(totals, ([name, count]) => `  ${count} ${name}`),
      `  ${failed.length} failed${failed.length === 0 ? "" : `: ${formatSeeds(failed.map(({ seed }) => seed))}`}`,
    ].join("\n");
  }).join("\n\n");
}
