/** Finds and restarts the agent of a lab's node. */
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { startProgram } from "#lab/hosts/program.ts";

const script = "src/agent/main.ts";
const pollMs = 20;

export async function restartAgent(host: LabHost): Promise<void> {
  const pid = await findAgentPid(host);
  process.kill(pid, "SIGTERM");
  while (await runsAgent(String(pid), host)) await pause(pollMs);
  await startProgram(host, script, {
    environment: { PEERDECK_AGENT_CONFIG: join(host.folder, "agent.toml") },
    log: "agent.log",
    ready: "agent listening",
  });
}

/** Returns the agent's process id in the machine's namespace. */
export async function findAgentPid(host: LabHost): Promise<number> {
  for (const pid of await readdir("/proc")) {
    if (/^[0-9]+$/.test(pid) && (await runsAgent(pid, host))) return Number(pid);
  }
  throw new Error(`${host.name} runs no agent`);
}

/** Identifies the agent by its script and its network namespace, which no other host shares. */
async function runsAgent(pid: string, { pid: holder }: LabHost): Promise<boolean> {
  try {
    const [program, path] = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    if (!program?.endsWith("node") || !path?.endsWith(script)) return false;
    return (await readlink(`/proc/${pid}/ns/net`)) === (await readlink(`/proc/${holder}/ns/net`));
  } catch {
    return false;
  }
}
