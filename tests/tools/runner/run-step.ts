import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { commandScript, repository } from "../../support/repository.ts";
import type { CommandStep, Step, TestStep } from "./steps.ts";
import { type Count, countTests, failedFiles, failureLines, type VitestReport } from "./vitest-report.ts";

const reports = path.join(repository, "build/test-reports");

export interface StepResult extends Count {
  readonly seconds: number;
  /** What the step printed, standard output and standard error in the order of arrival. */
  readonly output: string;
}

/** Runs one step to its end. */
export async function runStep(step: Step): Promise<StepResult> {
  const started = performance.now();
  const { output, ...count } = await (step.kind === "command" ? runCommand(step) : runTests(step));
  return { ...count, output, seconds: (performance.now() - started) / 1000 };
}

async function runCommand(step: CommandStep): Promise<Count & { readonly output: string }> {
  const script =
    step.package === null
      ? path.join(repository, step.command)
      : await commandScript(step.package, step.command);
  const { code, output } = await node(script, step.args);
  return code === 0
    ? { passed: 1, failed: 0, note: "", output }
    : { passed: 0, failed: 1, note: `ended with ${code}`, output };
}

/** Runs a vitest project once, without retries. */
async function runTests({ name }: TestStep): Promise<Count & { readonly output: string }> {
  await mkdir(reports, { recursive: true });
  const file = path.join(reports, `${name}.json`);
  await rm(file, { force: true });
  const { code, output } = await node(await commandScript("vitest"), [
    "run",
    `--project=${name}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ]);
  const text = await readFile(file, "utf8").catch(() => null);
  const report = text === null ? null : (JSON.parse(text) as VitestReport);
  const count = countTests(report, code);
  const failures = failedFiles(report).flatMap((failed) =>
    [path.relative(repository, failed.name), ...failureLines(failed).map((line) => `  ${line}`)].map(
      (line) => `     ${line}`,
    ),
  );
  return { ...count, note: [count.note, ...failures].filter(Boolean).join("\n"), output };
}

/** Runs a script on this process's Node.js, without standard input. */
function node(
  script: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: repository,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => {
        output += chunk;
      });
    }
    child.once("error", reject);
    // A process that a signal ended has no exit code. Shells report more than 128.
    child.once("close", (code) => resolve({ code: code ?? 128, output }));
  });
}
