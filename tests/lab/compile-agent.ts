/**
 * Stores the agent's compiled modules before the tests: a program stores them when it exits, and the agents of a lab are
 * killed.
 */
import { join } from "node:path";
import { runOk, runProcess } from "../../src/system/processes.ts";
import { compileCache } from "../support/compile-cache.ts";
import { repository } from "../support/repository.ts";

export async function setup(): Promise<void> {
  const environment = { ...process.env, ...compileCache };
  await runOk(runProcess, process.execPath, [join(repository, "src/agent/main.ts"), "--version"], {
    environment,
    timeoutMs: 60_000,
  });
}
