import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { commandScript, repository } from "../../support/repository.ts";
import { type FlakyTest, mergeRuns } from "./merge-runs.ts";
import { leftOutVariable } from "./left-out-files.ts";
import { secondsOfEndedChildren } from "./processor-time.ts";
import type { CommandStep, Step, TestStep } from "./steps.ts";
import {
  type Count,
  countTests,
  failedFiles,
  failureLines,
  type VitestReport,
  type VitestRun,
} from "./vitest-report.ts";

export interface StepResult extends Count {
  readonly flaky: readonly FlakyTest[];
  readonly seconds: number;
  /** Seconds on processors, of all processes that the step started and awaited. Noise of the machine changes it little. */
  readonly processorSeconds: number;
  /** What the step printed, standard output and standard error in the order of arrival. */
  readonly output: string;
}

/** Runs one step to its end, in the repository or another folder. */
export async function runStep(step: Step, folder = repository): Promise<StepResult> {
  const started = performance.now();
  const result = await (step.kind === "command" ? runCommand(step, folder) : runTests(step, folder));
  return { ...result, seconds: (performance.now() - started) / 1000 };
}

async function runCommand(step: CommandStep, folder: string): Promise<Omit<StepResult, "seconds">> {
  const script =
    step.package === null
      ? path.join(repository, step.command)
      : await commandScript(step.package, step.command);
  const { code, ...run } = await runNode(script, step.args, folder, step.env);
  return code === 0
    ? { passed: 1, failed: 0, flaky: [], note: "", ...run }
    : { passed: 0, failed: 1, flaky: [], note: `ended with ${code}`, ...run };
}

/** If more files of a project fail, the cause is not chance. Their second run would only take as long as the first one. */
const maxRepeatedFiles = 5;

/** Runs a vitest project, and then its failed files a second time if the step allows it. */
async function runTests(step: TestStep, folder: string): Promise<Omit<StepResult, "seconds">> {
  const first = await runVitest(step, folder);
  const files = filesToRepeat(step, first);
  if (files.length === 0)
    return {
      ...describeTests(first, folder),
      flaky: [],
      output: first.output,
      processorSeconds: first.processorSeconds,
    };
  const second = await runVitest(step, folder, files);
  const { flaky, ...run } = mergeRuns(first, second);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const remark = `${count} repeated${second.report ? "" : ", and the second run has no report"}`;
  return {
    ...describeTests(run, folder, remark),
    flaky: flaky.map(({ file, name, error }) => {
      return { file: `${step.name}: ${path.relative(folder, file)}`, name, error };
    }),
    output: `${first.output}\nSecond run of the failed files:\n${second.output}`,
    processorSeconds: first.processorSeconds + second.processorSeconds,
  };
}

/** The failed files of a run that may be repeated; none if there are many, or if something else has failed. */
export function filesToRepeat(
  { canRepeat }: Pick<TestStep, "canRepeat">,
  { report, hasOutsideError }: VitestRun,
): readonly string[] {
  const files = failedFiles(report).map(({ name }) => name);
  return !canRepeat || hasOutsideError || files.length > maxRepeatedFiles ? [] : files;
}

/** Counts a project's tests. The note continues with the failed tests. */
function describeTests({ report, code }: VitestRun, folder: string, remark = ""): Count {
  const count = countTests(report, code);
  const failures = failedFiles(report).flatMap((failed) =>
    [path.relative(folder, failed.name), ...failureLines(failed).map((line) => `  ${line}`)].map(
      (line) => `     ${line}`,
    ),
  );
  const summary = [count.note, remark].filter(Boolean).join(", ");
  return { ...count, note: [summary, ...failures].filter(Boolean).join("\n") };
}

/** Runs a vitest project in a process of its own: its files, or all of them. */
async function runVitest(
  { name: project, leftOut }: Pick<TestStep, "name" | "leftOut">,
  folder: string,
  files: readonly string[] = [],
): Promise<VitestRun & Pick<StepResult, "output" | "processorSeconds">> {
  const reports = path.join(folder, "build/test-reports");
  await mkdir(reports, { recursive: true });
  const file = path.join(reports, `${project}${files.length > 0 ? "-repeated" : ""}.json`);
  await rm(file, { force: true });
  const script = await commandScript("vitest");
  const options = [
    `--project=${project}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ];
  const { code, ...run } = await runNode(script, ["run", ...options, ...files], folder, {
    [leftOutVariable]: leftOut.join(","),
  });
  const text = await readFile(file, "utf8").catch(() => null);
  const report = text === null ? null : (JSON.parse(text) as VitestReport);
  return { report, code, hasOutsideError: run.output.includes("Unhandled Error"), ...run };
}

/** The processor time of all scripts that have ended, in seconds. */
let countedSeconds = 0;

/** Runs a script on this process's Node.js, without standard input. */
export function runNode(
  script: string,
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number } & Pick<StepResult, "output" | "processorSeconds">> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => {
        output += chunk;
      });
    }
    let processorSeconds = 0;
    child.once("exit", () => {
      const total = secondsOfEndedChildren();
      processorSeconds = total - countedSeconds;
      countedSeconds = total;
    });
    child.once("error", reject);
    // A process that a signal ended has no exit code. Shells report more than 128.
    child.once("close", (code) => resolve({ code: code ?? 128, output, processorSeconds }));
  });
}
