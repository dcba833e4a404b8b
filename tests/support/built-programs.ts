/** The programs as `npm start` runs them, built before the tests of a project that starts them. */
import path from "node:path";
import { runOk, runProcess } from "../../src/system/processes.ts";
import { repository } from "./repository.ts";

/** From the repository's top folder. */
export const serverProgram = "build/programs/peerdeck.mjs";
export const agentProgram = "build/programs/peerdeck-agent.mjs";

export async function setup(): Promise<void> {
  const script = path.join(repository, "src/packaging/build.ts");
  await runOk(runProcess, process.execPath, [script], { cwd: repository, timeoutMs: 300_000 });
}
