import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { commandScript, repository } from "./repository.ts";
import type { CommandStep, Step, TestStep } from "./steps.ts";
import { testProjects } from "./test-projects.ts";
import {
  type Count,
  countTests,
  failedFiles,
  failedTests,
  type VitestReport,
  withSecondRun,
} from "./vitest-report.ts";

/** More files than these do not fail by chance. */
const filesWorthAnotherRun = 3;

/** Runs one step and streams what it prints. */
export function runStep(step: Step): Promise<Count> {
  return step.kind === "command" ? runCommand(step) : runTests(step);
}

async function runCommand(step: CommandStep): Promise<Count> {
  const script =
    step.package === null
      ? path.join(repository, step.command)
      : await commandScript(step.package, step.command);
  const code = await node(script, step.args);
  return code === 0
    ? { passed: 1, failed: 0, note: "" }
    : { passed: 0, failed: 1, note: `ended with ${code}` };
}

/**
 * Runs a project's tests, and the files in which some failed once more, alone: only what fails there as well
 * counts as failed. The note names everything that failed the first time, for that is to be mended too.
 */
async function runTests({ name }: TestStep): Promise<Count> {
  const include = testProjects.find((project) => project.test.name === name)?.test.include ?? [];
  if (globSync(include, { cwd: repository }).length === 0) {
    return { passed: 0, failed: 0, note: "has no test files" };
  }
  const first = await runVitest(name);
  const files = failedFiles(first.report);
  const count = countTests(first.report, first.code);
  if (first.report === null || files.length === 0) return count;
  const named = files.map(
    (file) => `     ${path.relative(repository, file.name)}: ${failedTests(file).join("; ") || "not loaded"}`,
  );
  if (files.length > filesWorthAnotherRun) return { ...count, note: [count.note, ...named].join("\n") };
  const again = await runVitest(name, ...files.map((file) => file.name), "--no-file-parallelism");
  if (again.report === null) return { ...count, note: ["and the second run broke off", ...named].join("\n") };
  const both = countTests(withSecondRun(first.report, again.report), again.code);
  const heading = both.failed > 0 ? "failed, and was run twice:" : "failed at first, passed alone:";
  return { ...both, note: [both.note, heading, ...named].filter(Boolean).join("\n") };
}

async function runVitest(
  project: string,
  ...args: readonly string[]
): Promise<{ readonly report: VitestReport | null; readonly code: number }> {
  const output = path.join(repository, "build/test-reports", `${project}.json`);
  await rm(output, { force: true });
  const code = await node(await commandScript("vitest"), [
    "run",
    `--project=${project}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${output}`,
    ...args,
  ]);
  const report = await readFile(output, "utf8").catch(() => null);
  return { report: report === null ? null : (JSON.parse(report) as VitestReport), code };
}

/** Runs a script on this very Node, without a terminal to ask questions on; resolves to its exit code. */
function node(script: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: repository,
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.once("error", reject);
    // Killed by a signal: the shell's convention is above 128, and any number but 0 will do.
    child.once("close", (code) => resolve(code ?? 128));
  });
}
