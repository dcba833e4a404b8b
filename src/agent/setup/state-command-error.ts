/** A command that changes the state folder, while the agent runs or is stopped, could not be done. The message says what to do. */
export class StateCommandError extends Error {
  override readonly name = "StateCommandError";
}

const noPermission = new Set(["EACCES", "EPERM", "EROFS"]);
const noSpace = new Set(["ENOSPC", "EDQUOT"]);

/** Returns what to throw instead of an error of the state folder. */
export function describeStateFailure(command: string, folder: string, cause: unknown): unknown {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT") {
    return new StateCommandError(
      `${folder}, the state_dir in agent.toml, does not exist. Run peerdeck-agent join first, or start the agent once.`,
      { cause },
    );
  }
  if (noPermission.has(code)) {
    return new StateCommandError(`${message}. Nothing was changed. Run peerdeck-agent ${command} as root.`, {
      cause,
    });
  }
  if (noSpace.has(code)) {
    return new StateCommandError(
      `There is no space left in ${folder}. Nothing was changed. Free some, then run the command again.`,
      { cause },
    );
  }
  return cause;
}
