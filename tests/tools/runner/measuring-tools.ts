/**
 * Runs scripts that measure something, and that no other step runs, once at their smallest size: one group of them with
 * each commit. Their figures mean nothing beside other steps: this finds a tool that no longer works.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { compileCache } from "../../support/compile-cache.ts";
import { repository } from "../../support/repository.ts";
import { oneOfCommit } from "../../support/share-of-commit.ts";
import { runNode } from "./run-step.ts";

/** The arguments of each script, in groups that take about the same time. */
const groups: ReadonlyArray<Readonly<Record<string, readonly string[]>>> = [
  {
    "bench:drift": ["--peers", "1", "--checks", "1"],
    "bench:probes": ["--peers", "1", "--seconds", "3"],
    "bench:registry": ["--runs", "1", "--networks", "20"],
    "bench:scale": ["--runs", "1", "--peerings", "20", "--databases", "sqlite", "--hurry"],
    "bench:start": ["--runs", "1"],
    "bench:status": ["--runs", "1", "--peerings", "20"],
    "bench:shifts": ["login"],
  },
  {
    "bench:servers": [
      "--servers",
      "2",
      "--participants",
      "4",
      "--nodes",
      "2",
      "--seconds",
      "0.3",
      "--kills",
      "1",
    ],
  },
  { "bench:web": ["--runs", "1", "--changes", "1", "--hurry"] },
  { "bench:deploy": ["--runs", "1", "--runs-full", "1", "--peers", "1", "--hurry"] },
];

const { scripts } = JSON.parse(await readFile(path.join(repository, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const known = new Set(groups.flatMap((group) => Object.keys(group)));
const missing = Object.keys(scripts).filter((name) => name.startsWith("bench:") && !known.has(name));
if (missing.length > 0) throw new Error(`this step does not run ${missing.join(", ")}`);

// The tools and the programs that they start use it.
Object.assign(process.env, compileCache);
for (const group of oneOfCommit(groups))
  for (const [name, args] of Object.entries(group)) await run(name, args);

/** Runs the file of a script, without npm and what the script needs before it, which the build has made. */
async function run(name: string, args: readonly string[]): Promise<void> {
  const [file = ""] = /[^ ]+$/.exec(scripts[name] ?? "") ?? [];
  const started = performance.now();
  const { code, output } = await runNode(file, args, repository);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`npm run ${name} -- ${args.join(" ")} (${seconds} s)\n${output}\n`);
  if (code === 0 && /\d/.test(output)) return;
  process.stdout.write(`npm run ${name} ended with ${code}\n`);
  process.exitCode = 1;
}
