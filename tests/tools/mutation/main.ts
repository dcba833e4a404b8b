/**
 * Changes each expression of the rules, the renderers, the parsers and the server's checks, and runs the tests after each
 * change: `npm run mutation`, or `npm run mutation -- agent src/domain/asn.ts` for some groups and files.
 *
 * Results are kept in `build/mutation`, so a second run tests only what has changed since. It does not notice rows that
 * were added to a `test.each`: delete the folder then.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "../../support/repository.ts";
import { groups, groupVariable, type MutationGroup } from "./groups.ts";

/** The part of Stryker's report that is read here. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: ReadonlyArray<{ readonly status: string }> }>>;
}

interface Score {
  readonly detected: number;
  readonly all: number;
}

const folder = "build/mutation";
/** Stryker is installed by the command that uses it: it is as large as an eighth of everything else. */
const packages = path.join(import.meta.dirname, "node_modules/@stryker-mutator");
const required = 90;

/** Returns each file's score. */
async function runGroup({ name, mutate }: MutationGroup): Promise<ReadonlyMap<string, Score>> {
  const fileName = path.join(folder, `${name}.json`);
  const options = {
    mutate: [...mutate, "!src/**/*.test.ts"],
    testRunner: "vitest",
    plugins: [path.join(packages, "vitest-runner/dist/src/index.js")],
    vitest: { configFile: "tests/tools/mutation/vitest-config.ts" },
    packageManager: "npm",
    tsconfigFile: "none",
    coverageAnalysis: "perTest",
    concurrency: 2,
    // Milliseconds. A change that makes the tests time out counts as noticed, so a busy machine must not.
    timeoutMS: 20_000,
    incremental: true,
    incrementalFile: path.join(folder, `${name}-incremental.json`),
    reporters: ["clear-text", "json", "progress-append-only"],
    clearTextReporter: { reportTests: false, logTests: false, reportScoreTable: false },
    jsonReporter: { fileName },
    tempDirName: path.join(folder, "sandbox"),
    // The tests of the API serve the built web app.
    ignorePatterns: ["/build/*", "!/build/web", "/data"],
  };
  const optionsFile = path.join(folder, `${name}-options.json`);
  await writeFile(optionsFile, JSON.stringify(options));
  // Stryker's own `testFiles` does not activate changes of what a module does while it is loaded.
  const env = { ...process.env, [groupVariable]: name };
  const stryker = path.join(packages, "core/bin/stryker.js");
  const child = spawn(process.execPath, [stryker, "run", optionsFile], { env, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`Stryker ended with ${code}`);
  const { files } = JSON.parse(await readFile(fileName, "utf8")) as Report;
  return new Map(Object.entries(files).map(([file, { mutants }]) => [file, scoreOf(mutants)]));
}

function scoreOf(mutants: ReadonlyArray<{ readonly status: string }>): Score {
  const counted = mutants.filter(({ status }) => status !== "CompileError" && status !== "RuntimeError");
  const detected = counted.filter(({ status }) => status === "Killed" || status === "Timeout");
  return { detected: detected.length, all: counted.length };
}

/** Returns the groups that the arguments name, with only those files that they name. */
function chooseGroups(args: readonly string[]): readonly MutationGroup[] {
  if (args.length === 0) return groups;
  return args.map((argument) => {
    const group = groups.find(
      ({ name, mutate }) => name === argument || mutate.some((glob) => path.matchesGlob(argument, glob)),
    );
    if (!group) throw new Error(`${argument} is neither a group nor a file of one`);
    return group.name === argument ? group : { ...group, mutate: [argument] };
  });
}

function percent({ detected, all }: Score): number {
  return all === 0 ? 100 : (100 * detected) / all;
}

process.chdir(repository);
await mkdir(folder, { recursive: true });
const scores = new Map<string, Score>();
for (const group of chooseGroups(process.argv.slice(2))) {
  for (const [file, score] of await runGroup(group)) scores.set(file, score);
}
const total = [...scores.values()].reduce((sum, { detected, all }) => ({
  detected: sum.detected + detected,
  all: sum.all + all,
}));
for (const [name, score] of [...scores, ["all files", total] as const]) {
  process.stdout.write(`${percent(score).toFixed(1).padStart(5)} % of ${score.all}: ${name}\n`);
}
if (percent(total) < required) process.exitCode = 1;
