/** `peerdeck-agent pause` and `peerdeck-agent resume`, which work while the agent runs and while it is stopped. */
import { formatAge } from "../../domain/text/age.ts";
import type { AgentConfig } from "../config/agent-config.ts";
import { pauseRepairs, readPausedAt, resumeRepairs } from "../reconcile/repair-pause.ts";
import { runAsOwner } from "../../system/run-as-owner.ts";
import { describeStateFailure, StateCommandError } from "./state-command-error.ts";

const paused = `Repairs are paused within ten seconds. What drifts from now on stays as it is; deployments go on.
A start of the agent applies the confirmed peerings once. To repair again: peerdeck-agent resume`;
const resumed = "Repairs are resumed. The agent repairs what drifted at its next check, within ten seconds.";

/** Pauses or resumes the repairs of the agent with this configuration. Returns what was done, for the operator. */
export async function setRepairs(
  command: "pause" | "resume",
  { state_dir: folder, router }: Pick<AgentConfig, "state_dir" | "router">,
): Promise<string> {
  if (router === "simulated")
    throw new StateCommandError("This agent simulates its router, which never drifts. Nothing was changed.");
  try {
    return await runAsOwner(folder, () => (command === "pause" ? pause(folder) : resume(folder)));
  } catch (error) {
    throw describeStateFailure(command, folder, error);
  }
}

async function pause(folder: string): Promise<string> {
  const pausedAt = await readPausedAt(folder);
  if (pausedAt !== null) {
    const seconds = Math.max(0, (Date.now() - pausedAt) / 1000);
    return `Repairs were already paused, ${formatAge(seconds)}. Nothing was changed. To repair again: peerdeck-agent resume`;
  }
  await pauseRepairs(folder);
  return paused;
}

async function resume(folder: string): Promise<string> {
  if ((await readPausedAt(folder)) === null) return "Repairs were not paused. Nothing was changed.";
  await resumeRepairs(folder);
  return resumed;
}
