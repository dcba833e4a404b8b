/**
 * The only place in the agent that starts processes: with an argument list, without a shell, with a fixed
 * environment, a timeout and an output limit.
 *
 * Invariant: when the promise settles, the process has ended.
 */
import { type ChildProcess, spawn } from "node:child_process";

export interface RunOptions {
  /** Written to standard input, which is then closed. */
  readonly input?: string;
  /** The process is killed after this many milliseconds. */
  readonly timeoutMs?: number;
  /** Limit for standard output and standard error each; further output is dropped. */
  readonly outputLimitBytes?: number;
  /** Kills the process; the output written so far is still returned. */
  readonly signal?: AbortSignal;
}

export interface ProcessResult {
  /** Null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether output was dropped. */
  readonly isTruncated: boolean;
}

/** The process could not be started, timed out, or (where required) exited with a non-zero code. */
export class ProcessError extends Error {
  override readonly name = "ProcessError";
}

/** Runs a program until it exits, with any exit code. */
export type Run = (program: string, args: readonly string[], options?: RunOptions) => Promise<ProcessResult>;

const defaultTimeoutMs = 10_000;
const defaultOutputBytes = 16 * 1024 * 1024;

/** Debian's program folders, independent of the agent's own environment. */
const environment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };

export const runProcess: Run = (program, args, options = {}) => {
  const { input, timeoutMs = defaultTimeoutMs, outputLimitBytes = defaultOutputBytes, signal } = options;
  return new Promise((resolve, reject) => {
    const rejectStart = (error: Error) =>
      reject(new ProcessError(`Cannot start ${program}: ${error.message}`, { cause: error }));
    let child: ChildProcess;
    try {
      child = spawn(program, args, {
        cwd: "/",
        env: environment,
        stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      });
    } catch (error) {
      // Some kernel errors (EPERM) are thrown instead of emitted.
      rejectStart(error as Error);
      return;
    }
    const stdout = collect(child.stdout, outputLimitBytes);
    const stderr = collect(child.stderr, outputLimitBytes);
    let hasTimedOut = false;
    const kill = () => child.kill("SIGKILL");
    const timer = setTimeout(() => {
      hasTimedOut = true;
      kill();
    }, timeoutMs);
    const cleanUp = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
    };
    child.once("error", (error) => {
      cleanUp();
      rejectStart(error);
    });
    child.once("close", (code) => {
      cleanUp();
      if (hasTimedOut) {
        reject(new ProcessError(`${program} timed out after ${timeoutMs / 1000} s and was killed.`));
        return;
      }
      resolve({
        code,
        stdout: stdout.text(),
        stderr: stderr.text(),
        isTruncated: stdout.isTruncated() || stderr.isTruncated(),
      });
    });
    if (signal?.aborted) kill();
    signal?.addEventListener("abort", kill, { once: true });
    // A program may exit before it reads all of its input; its exit code decides.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
};

/**
 * Runs a program and returns its standard output; rejects with `ProcessError` and its output on a non-zero
 * exit code.
 */
export async function runOk(
  run: Run,
  program: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code === 0) return stdout;
  const output = stderr.trim() || stdout.trim() || "no output";
  throw new ProcessError(`${[program, ...args].join(" ")} exited with ${code ?? "a signal"}: ${output}`);
}

function collect(stream: NodeJS.ReadableStream | null, limit: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let isTruncated = false;
  stream?.on("data", (chunk: Buffer) => {
    const remaining = limit - size;
    if (chunk.length > remaining) isTruncated = true;
    if (remaining > 0) chunks.push(chunk.subarray(0, remaining));
    size += Math.min(chunk.length, Math.max(remaining, 0));
  });
  return { text: () => Buffer.concat(chunks).toString("utf8"), isTruncated: () => isTruncated };
}
