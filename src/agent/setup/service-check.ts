import { ProcessError, type ProcessResult, type Run } from "../../system/processes.ts";

const unit = "peerdeck-agent.service";
const properties = [
  "LoadState",
  "ActiveState",
  "SubState",
  "UnitFileState",
  "ActiveEnterTimestamp",
  "Result",
  "ExecMainStatus",
] as const;
/** systemd's exit status NAMESPACE. */
const namespaceStatus = "226";
/** A start waits for the one before it, and BIRD reads its configuration. */
const restartTimeoutMs = 120_000;

export interface ServiceState {
  readonly isRunning: boolean;
  /** What was found, and what to do if the agent is not running or does not start at boot. */
  readonly description: string;
}

/** Asks systemd about the agent's service; null if the agent is not installed from its package. */
export async function checkService(run: Run): Promise<ServiceState | null> {
  const { code, stdout, stderr } = await systemctl(run, ["show", unit, `--property=${properties.join(",")}`]);
  if (code !== 0) {
    const description = `systemd does not say whether ${unit} is running: ${firstLine(stderr)}`;
    return { isRunning: false, description };
  }
  const read = (name: (typeof properties)[number]) =>
    new RegExp(`^${name}=(.*)$`, "m").exec(stdout)?.[1] ?? "";
  if (read("LoadState") === "not-found") return null;
  const isRunning = read("ActiveState") === "active";
  const isEnabled = read("UnitFileState") === "enabled";
  if (isRunning && isEnabled) {
    const since = read("ActiveEnterTimestamp");
    return { isRunning, description: `${unit} is running since ${since}, and starts at boot.` };
  }
  if (!isRunning && read("ExecMainStatus") === namespaceStatus) {
    return { isRunning, description: noMountNamespace };
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

const noMountNamespace =
  `${unit} is not running: systemd cannot set up its mount namespace (status 226/NAMESPACE). In a container, allow ` +
  "nesting, or add the drop-in of docs/nodes.md, Containers without nesting. Elsewhere one of the service's folders " +
  "may be missing: journalctl -u peerdeck-agent names it.";

/** Restarts a unit. Returns what happened, as a sentence. */
export async function restartUnit(run: Run, name: string): Promise<string> {
  const { code, stderr } = await systemctl(run, ["restart", name]);
  if (code === 0) return `Started ${name}.`;
  return `${name} could not be started: ${firstLine(stderr)} The reason is in: journalctl -u ${name}`;
}

/** Runs systemctl. One that cannot be started, or hangs, fails like one that systemd refuses. */
function systemctl(
  run: Run,
  args: readonly string[],
): Promise<Pick<ProcessResult, "code" | "stdout" | "stderr">> {
  return run("systemctl", args, { timeoutMs: restartTimeoutMs }).catch((error: unknown) => {
    if (error instanceof ProcessError) return { code: null, stdout: "", stderr: `${error.message}.` };
    throw error;
  });
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
