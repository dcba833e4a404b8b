/** Runs one of the project's programs as a process and waits for its log lines. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { compileCache } from "../../support/compile-cache.ts";

export type LogLine = Readonly<Record<string, unknown>>;

export interface LogReader {
  /** The parsed log lines so far. */
  readonly log: readonly LogLine[];
  /** Resolves with the first line that has this message, past or future. Rejects if the program ends before. */
  readonly logged: (message: string) => Promise<LogLine>;
}

export interface Program extends LogReader, AsyncDisposable {
  readonly pid: number;
  /** Waits until the program ends by itself. */
  ended(): Promise<{ readonly code: number | null; readonly stderrText: string }>;
  /** Stops the process, like a hung machine, until it is resumed or killed. */
  freeze(): void;
  resume(): void;
  /** Sends the signal and returns the exit code and the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<readonly [number | null, NodeJS.Signals | null]>;
}

const root = join(import.meta.dirname, "../../..");

/** @param args the program's arguments */
export function runProgram(
  file: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Program {
  const child = spawn(process.execPath, [join(root, file), ...args], {
    env: { ...compileCache, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const reader = createLogReader();
  createInterface({ input: child.stdout }).on("line", reader.add);
  let stderrText = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderrText += chunk.toString();
  });
  void exited.then(() => reader.end(() => `${file} ended: ${stderrText}`));

  return {
    pid: child.pid ?? 0,
    log: reader.log,
    logged: reader.logged,
    freeze: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async ended() {
      const [code] = await closed;
      return { code, stderrText };
    },
    async end(signal) {
      child.kill(signal);
      return exited;
    },
    async [Symbol.asyncDispose]() {
      if (!hasEnded(child)) child.kill("SIGKILL");
      await exited;
    },
  };
}

/** A log that grows by a line of JSON with each call of `add`. */
export function createLogReader() {
  const log: LogLine[] = [];
  const events = new EventTarget();
  let ending: (() => string) | null = null;
  const change = () => events.dispatchEvent(new Event("change"));
  return {
    log,
    add: (line: string): void => {
      log.push(JSON.parse(line) as LogLine);
      change();
    },
    /** @param describe returns why no further line is added */
    end: (describe: () => string): void => {
      ending = describe;
      change();
    },
    logged: async (message: string): Promise<LogLine> => {
      for (;;) {
        const found = log.find(({ msg }) => msg === message);
        if (found) return found;
        if (ending) throw new Error(`"${message}" was not logged: ${ending()}`);
        await once(events, "change");
      }
    },
  };
}

/** Runs one of the project's programs until it ends. */
export async function runCommand(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [join(root, file), ...args], {
    env: { ...compileCache, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
