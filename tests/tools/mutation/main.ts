/**
 * Changes each expression of the rules, the renderers, the parsers and the server's checks, and runs the tests after each
 * change: `npm run mutation`, or `npm run mutation -- agent src/domain/asn.ts` for some groups and files. Fails if the tests
 * of a group notice less than they have to.
 *
 * Results are kept in `build/mutation`, so a second run tests only what has changed since. It does not notice rows that
 * were added to a `test.each`: delete the folder then.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "../../support/repository.ts";
import { groups, groupVariable, type MutationGroup } from "./groups.ts";

const folder = "build/mutation";
/** Stryker is installed by the command that uses it: it is as large as an eighth of everything else. */
const installation = path.join(repository, folder, "packages");
const packages = path.join(installation, "node_modules/@stryker-mutator");

async function runGroup({ name, required, mutate }: MutationGroup): Promise<void> {
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
    // The table has the score of each file.
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { reportTests: false, logTests: false },
    thresholds: { high: 100, low: required, break: required },
    tempDirName: path.join(folder, "sandbox"),
    // The tests of the API serve the built web app.
    ignorePatterns: ["/build/*", "!/build/web", "/data"],
  };
  const optionsFile = path.join(folder, `${name}-options.json`);
  await writeFile(optionsFile, JSON.stringify(options));
  // Stryker's own `testFiles` does not activate changes of what a module does while it is loaded.
  const env = { ...process.env, [groupVariable]: name };
  const stryker = path.join(packages, "core/bin/stryker.js");
  if ((await run(process.execPath, [stryker, "run", optionsFile], env)) !== 0) process.exitCode = 1;
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

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  const child = spawn(command, args, { env, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

process.chdir(repository);
await mkdir(installation, { recursive: true });
for (const name of ["package.json", "package-lock.json"])
  await copyFile(path.join(import.meta.dirname, name), path.join(installation, name));
// The repository's packages have vitest already.
const install = ["ci", "--prefix", installation, "--legacy-peer-deps"];
if ((await run("npm", install, process.env)) !== 0) throw new Error("Stryker could not be installed");
for (const group of chooseGroups(process.argv.slice(2))) await runGroup(group);
