/** A program of ours as a process of its own, whose log lines a test can wait for. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export type LogLine = Readonly<Record<string, unknown>>;

export interface Program extends AsyncDisposable {
  /** Every line of its log so far, parsed. */
  readonly log: readonly LogLine[];
  /** Resolves with the first line of this message, logged already or not; rejects when the program ends before. */
  logged(message: string): Promise<LogLine>;
  /** Waits for an end of its own accord. */
  ended(): Promise<{ readonly code: number | null; readonly said: string }>;
  /** Keeps it from doing anything, as a machine that hangs, until it is killed. */
  freeze(): void;
  /** Sends the signal and answers the exit code and the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<readonly [number | null, NodeJS.Signals | null]>;
}

const root = join(import.meta.dirname, "../../..");

export function runProgram(file: string, environment: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, [join(root, file)], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const log: LogLine[] = [];
  const arrivals = new EventTarget();
  createInterface({ input: child.stdout }).on("line", (line) => {
    log.push(JSON.parse(line) as LogLine);
    arrivals.dispatchEvent(new Event("line"));
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  void exited.then(() => arrivals.dispatchEvent(new Event("line")));

  return {
    log,
    async logged(message) {
      for (;;) {
        const found = log.find(({ msg }) => msg === message);
        if (found) return found;
        if (hasEnded(child)) throw new Error(`${file} ended before it logged "${message}": ${said}`);
        await once(arrivals, "line");
      }
    },
    freeze: () => void child.kill("SIGSTOP"),
    async ended() {
      const [code] = await closed;
      return { code, said };
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

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
