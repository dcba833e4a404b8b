/**
 * The one place of the agent that starts processes: by argument list, without a shell, with a fixed
 * environment, each with a limit of time and of output.
 *
 * Invariant: when the promise settles, the process it started has ended.
 */
import { type ChildProcess, spawn } from "node:child_process";

export interface RunOptions {
  /** Written to its standard input, which is then closed. */
  readonly input?: string;
  /** After so many milliseconds it is killed. */
  readonly timeLimitMs?: number;
  /** Of standard output and of standard error each; what is beyond it is dropped. */
  readonly outputLimitBytes?: number;
  /** Kills it; what it wrote until then is still returned. */
  readonly signal?: AbortSignal;
}

export interface Finished {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether output was dropped. */
  readonly cut: boolean;
}

/** It could not be started, ended with another code than 0 where that counts, or exceeded its time. */
export class ProcessFailed extends Error {
  override readonly name = "ProcessFailed";
}

/** Runs a program to its end, whatever its exit code is. */
export type Run = (program: string, args: readonly string[], options?: RunOptions) => Promise<Finished>;

const defaultTimeMs = 10_000;
const defaultOutputBytes = 16 * 1024 * 1024;

/** Where Debian keeps what routers run, whatever the agent was started with. */
const environment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };

export const runProcess: Run = (program, args, options = {}) => {
  const { input, timeLimitMs = defaultTimeMs, outputLimitBytes = defaultOutputBytes, signal } = options;
  return new Promise((resolve, reject) => {
    const cannotStart = (error: Error) =>
      reject(new ProcessFailed(`${program} cannot be started: ${error.message}`, { cause: error }));
    let child: ChildProcess;
    try {
      child = spawn(program, args, {
        cwd: "/",
        env: environment,
        stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      });
    } catch (error) {
      // Some refusals of the kernel's (EPERM) are thrown, and are no event.
      cannotStart(error as Error);
      return;
    }
    const stdout = collect(child.stdout, outputLimitBytes);
    const stderr = collect(child.stderr, outputLimitBytes);
    let late = false;
    const kill = () => child.kill("SIGKILL");
    const limit = setTimeout(() => {
      late = true;
      kill();
    }, timeLimitMs);
    const settle = () => {
      clearTimeout(limit);
      signal?.removeEventListener("abort", kill);
    };
    child.once("error", (error) => {
      settle();
      cannotStart(error);
    });
    child.once("close", (code) => {
      settle();
      if (late) {
        reject(new ProcessFailed(`${program} did not end within ${timeLimitMs / 1000} s and was killed.`));
        return;
      }
      resolve({ code, stdout: stdout.text(), stderr: stderr.text(), cut: stdout.cut() || stderr.cut() });
    });
    if (signal?.aborted) kill();
    signal?.addEventListener("abort", kill, { once: true });
    // A program that ends before it read all of its input is judged by its exit code.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
};

/** Runs a program that must succeed, and gives its standard output; rejects with `ProcessFailed` and its words. */
export async function runOk(
  run: Run,
  program: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code === 0) return stdout;
  const words = stderr.trim() || stdout.trim() || "no output";
  throw new ProcessFailed(`${[program, ...args].join(" ")} ended with ${code ?? "a signal"}: ${words}`);
}

function collect(stream: NodeJS.ReadableStream | null, limit: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let cut = false;
  stream?.on("data", (chunk: Buffer) => {
    const room = limit - size;
    if (chunk.length > room) cut = true;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    size += Math.min(chunk.length, Math.max(room, 0));
  });
  return { text: () => Buffer.concat(chunks).toString("utf8"), cut: () => cut };
}
