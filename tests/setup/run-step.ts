import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { commandScript, repository } from "./repository.ts";
import type { CommandStep, Step, TestStep } from "./steps.ts";
import { testProjects } from "./test-projects.ts";
import { type Count, countTests, type VitestReport } from "./vitest-report.ts";

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

async function runTests({ name }: TestStep): Promise<Count> {
  const include = testProjects.find((project) => project.test.name === name)?.test.include ?? [];
  if (globSync(include, { cwd: repository }).length === 0) {
    return { passed: 0, failed: 0, note: "has no test files" };
  }
  const output = path.join(repository, "build/test-reports", `${name}.json`);
  await rm(output, { force: true });
  const code = await node(await commandScript("vitest"), [
    "run",
    `--project=${name}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${output}`,
  ]);
  const report = await readFile(output, "utf8").catch(() => null);
  return countTests(report === null ? null : (JSON.parse(report) as VitestReport), code);
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
