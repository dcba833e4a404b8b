import type { Run } from "../../system/processes.ts";

const unit = "peerdeck-agent.service";
const properties = [
  "LoadState",
  "ActiveState",
  "SubState",
  "UnitFileState",
  "ActiveEnterTimestamp",
  "Result",
] as const;

export interface ServiceState {
  readonly isRunning: boolean;
  /** What was found, and what to do if the agent is not running or does not start at boot. */
  readonly description: string;
}

/** Asks systemd about the agent's service; null if the agent is not installed from its package. */
export async function checkService(run: Run): Promise<ServiceState | null> {
  const { stdout } = await run("systemctl", ["show", unit, `--property=${properties.join(",")}`]);
  const read = (name: (typeof properties)[number]) =>
    new RegExp(`^${name}=(.*)$`, "m").exec(stdout)?.[1] ?? "";
  if (read("LoadState") === "not-found") return null;
  const isRunning = read("ActiveState") === "active";
  const isEnabled = read("UnitFileState") === "enabled";
  if (isRunning && isEnabled) {
    const since = read("ActiveEnterTimestamp");
    return { isRunning, description: `${unit} is running since ${since}, and starts at boot.` };
  }
  const state = isRunning
    ? `${unit} is running`
    : `${unit} is not running (${read("SubState")}, last result: ${read("Result")})`;
  const boot = isEnabled ? "" : `, and does not start at boot (${read("UnitFileState") || "not installed"})`;
  const unmask = read("UnitFileState").startsWith("masked") ? `systemctl unmask ${unit}; ` : "";
  const journal = isRunning ? "" : " The reason is in: journalctl -u peerdeck-agent";
  return {
    isRunning,
    description: `${state}${boot}. Run: ${unmask}systemctl enable --now peerdeck-agent.${journal}`,
  };
}
