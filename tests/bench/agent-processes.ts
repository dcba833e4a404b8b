/** The agent of a lab's node, ended and started again. */
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LabHost } from "../../src/lab/namespaces.ts";
import { startProgram } from "../../src/lab/program.ts";

const script = "src/agent/main.ts";
const lookMs = 20;

export async function restartAgent(host: LabHost): Promise<void> {
  const pid = await agentOf(host);
  process.kill(pid, "SIGTERM");
  while (await runsAgent(String(pid), host)) await pause(lookMs);
  await startProgram(host, script, {
    environment: { PEERDECK_AGENT_CONFIG: join(host.folder, "agent.toml") },
    log: "agent.log",
    ready: "the agent listens",
  });
}

/** Its process's id, as the machine sees it. */
export async function agentOf(host: LabHost): Promise<number> {
  for (const pid of await readdir("/proc")) {
    if (/^[0-9]+$/.test(pid) && (await runsAgent(pid, host))) return Number(pid);
  }
  throw new Error(`${host.name} runs no agent`);
}

/** By its script and its network namespace, which no other host shares. */
async function runsAgent(pid: string, { pid: holder }: LabHost): Promise<boolean> {
  try {
    const [program, path] = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    if (!program?.endsWith("node") || !path?.endsWith(script)) return false;
    return (await readlink(`/proc/${pid}/ns/net`)) === (await readlink(`/proc/${holder}/ns/net`));
  } catch {
    return false;
  }
}
