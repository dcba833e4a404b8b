/**
 * Processes that are started before they are needed: those of commands that read their work from standard input. The kernel
 * copies the page tables of this program for each start, which takes longer than most commands run, and nothing else goes on
 * meanwhile.
 *
 * Invariants: of each command at most one process waits, and it has no input yet. It serves one call. A command whose process
 * does not wait, because it was just used or has ended, is started as usual. When this program ends in any way, a waiting
 * process reads an empty input, which changes nothing.
 */
import { finishProcess, type Run, type StartedProcess, startProcess } from "./processes.ts";

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
      start(command);
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

  commands.forEach(startLater);
  return {
    run: (program, args, options = {}) => {
      const { input, cwd, environment, output, groupGraceMs } = options;
      const hasUsualSurroundings = [cwd, environment, output, groupGraceMs].every(
        (each) => each === undefined,
      );
      const child = typeof input === "string" && hasUsualSurroundings ? take(program, args) : null;
      return child === null ? run(program, args, options) : finishProcess(program, child, options);
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
