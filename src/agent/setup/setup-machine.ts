import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { ProcessError, type Run, runProcess } from "../../system/processes.ts";
import { openTerminal, type Terminal } from "../../system/terminal.ts";
import { type Clock, systemClock } from "../clock.ts";
import { SetupError } from "./setup-arguments.ts";

/** The machine that `setup` and `join` configure. Tests replace it. */
export interface SetupMachine {
  /** The path of the agent's configuration, which may not exist yet. */
  readonly configPath: string;
  /** The `state_dir` of a new configuration. */
  readonly stateDir: string;
  readonly birdFile: string;
  /** A bird.conf that equals one of these files is unmodified. */
  readonly birdDefaults: readonly string[];
  /** The folder of the base of bird.conf. */
  readonly folder: string;
  readonly hasSystemd: boolean;
  readonly run: Run;
  readonly clock: Clock;
  /** Returns null if there is no terminal. */
  readonly openTerminal: () => Terminal | null;
}

export function thisMachine(configPath: string, folder: string): SetupMachine {
  return {
    configPath,
    stateDir: "/var/lib/peerdeck-agent",
    birdFile: "/etc/bird/bird.conf",
    // Of Debian's packages up to release 13; later ones have none.
    birdDefaults: ["/usr/share/bird2/bird.conf", "/usr/share/bird3/bird.conf"],
    folder,
    hasSystemd: existsSync("/run/systemd/system"),
    run: runProcess,
    clock: systemClock,
    openTerminal,
  };
}

/** Runs a command of the operator, and replaces errors of the machine by what to do about them. */
export async function withMachineErrors<T>(command: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof ProcessError) throw new SetupError(`${error.message}.`, { cause: error });
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    throw new SetupError(`${(error as Error).message}. Run ${command} as root.`, { cause: error });
  }
}

export async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
