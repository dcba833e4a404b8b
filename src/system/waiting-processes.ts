/**
 * Processes that are started before they are needed: those of commands that read their work from standard input. The kernel
 * copies the page tables of this program for each start, which takes longer than most commands run, and nothing else goes on
 * meanwhile.
 *
 * Invariants: of each command at most one process waits, and it has no input yet. It serves one call. A command whose process
 * does not wait, because it was just used or has ended, is started as usual. When this program ends in any way, a waiting
 * process reads an empty input, which changes nothing. After a command of a program timed out, none of its processes waits until
 * one has ended in time: one that hangs would fail the next call, too.
 */
import {
  finishProcess,
  type ProcessResult,
  ProcessTimeoutError,
  type Run,
  type StartedProcess,
  startProcess,
} from "./processes.ts";

export interface WaitingProcesses extends Disposable {
  /** Like the given `run`, with a waiting process if there is one for the command. */
  readonly run: Run;
}

export interface WaitingCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** The pause before the next process is started, so that it does not delay what the command was for. */
const restartMs = 1000;

export function keepProcessesWaiting(run: Run, commands: readonly WaitingCommand[]): WaitingProcesses {
  const waiting = new Map<WaitingCommand, StartedProcess>();
  const timers = new Map<WaitingCommand, NodeJS.Timeout>();
  /** The programs whose last command timed out. */
  const hanging = new Set<string>();

  function start(command: WaitingCommand): void {
    let child: StartedProcess;
    try {
      child = startProcess(command.program, command.args, { input: "" });
    } catch {
      // The call starts it, and reports the error.
      return;
    }
    const forget = () => {
      if (waiting.get(command) === child) waiting.delete(command);
    };
    child.once("error", forget).once("exit", forget);
    child.stdin?.on("error", () => {});
    waiting.set(command, child);
  }

  function startLater(command: WaitingCommand): void {
    if (timers.has(command)) return;
    const timer = setTimeout(() => {
      timers.delete(command);
      if (!hanging.has(command.program)) start(command);
    }, restartMs);
    timers.set(command, timer.unref());
  }

  function take(program: string, args: readonly string[]): StartedProcess | null {
    const command = commands.find((each) => isSameCommand(each, program, args));
    if (!command) return null;
    const child = waiting.get(command) ?? null;
    waiting.delete(command);
    startLater(command);
    return child;
  }

  /** Passes on how a command ended. */
  async function watch(program: string, ending: Promise<ProcessResult>): Promise<ProcessResult> {
    try {
      const result = await ending;
      hanging.delete(program);
      return result;
    } catch (error) {
      if (error instanceof ProcessTimeoutError) discard(program);
      throw error;
    }
  }

  function discard(program: string): void {
    hanging.add(program);
    for (const [command, child] of waiting) {
      if (command.program !== program) continue;
      waiting.delete(command);
      child.kill("SIGKILL");
    }
  }

  commands.forEach(startLater);
  return {
    run: (program, args, options = {}) => {
      const { input, cwd, environment, output, groupGraceMs } = options;
      const hasUsualSurroundings = [cwd, environment, output, groupGraceMs].every(
        (each) => each === undefined,
      );
      const child = typeof input === "string" && hasUsualSurroundings ? take(program, args) : null;
      return watch(
        program,
        child === null ? run(program, args, options) : finishProcess(program, child, options),
      );
    },
    [Symbol.dispose]: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      for (const child of waiting.values()) child.stdin?.end();
      waiting.clear();
    },
  };
}

function isSameCommand(command: WaitingCommand, program: string, args: readonly string[]): boolean {
  return command.program === program && command.args.join("\0") === args.join("\0");
}
