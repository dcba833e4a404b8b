/**
 * The only place that starts a process and waits for its end: with an argument list, without a shell, with a fixed
 * environment, a timeout and an output limit.
 *
 * Invariant: when the promise settles, the process has ended.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { FileHandle } from "node:fs/promises";

export interface RunOptions {
  /** `/` by default. */
  readonly cwd?: string;
  /** All variables of the process; by default only a `PATH` and `LC_ALL=C`. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Standard input: a file, or a text, after which it is closed. Empty by default. */
  readonly input?: string | FileHandle;
  /** The file that receives standard output instead of the result. */
  readonly output?: FileHandle;
  /** The process is ended after this time. Null: it may take as long as it needs. */
  readonly timeoutMs?: number | null;
  /** Limit for standard output and standard error each; further output is dropped. */
  readonly outputLimitBytes?: number;
  /** Ends the process; the output written so far is still returned. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Gives the process a group of its own, which ends as a whole. A process that is to be ended has this time after
   * SIGTERM. Without a group, the process alone is killed at once.
   */
  readonly groupGraceMs?: number;
}

export interface ProcessResult {
  /** Null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether output was dropped. */
  readonly isTruncated: boolean;
}

/**
 * The process could not be started (with the reason as `cause`), timed out, or (where required) exited with a non-zero
 * code.
 */
export class ProcessError extends Error {
  override readonly name = "ProcessError";
}

export class ProcessTimeoutError extends ProcessError {}

/** Runs a program until it exits, with any exit code. */
export type Run = (program: string, args: readonly string[], options?: RunOptions) => Promise<ProcessResult>;

const defaultTimeoutMs = 10_000;
const defaultOutputBytes = 16 * 1024 * 1024;

/** Debian's program folders, independent of this program's own environment. */
const defaultEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
};

export const runProcess: Run = async (program, args, options = {}) => {
  let child: ChildProcess;
  try {
    child = startProcess(program, args, options);
  } catch (error) {
    // Some kernel errors (EPERM) are thrown instead of emitted.
    throw startError(program, error as Error);
  }
  return finishProcess(program, child, options);
};

/** Gives a process its input, and resolves when it has ended. */
export function finishProcess(
  program: string,
  child: ChildProcess,
  options: RunOptions,
): Promise<ProcessResult> {
  const { timeoutMs = defaultTimeoutMs, outputLimitBytes = defaultOutputBytes, signal, input } = options;
  return new Promise((resolve, reject) => {
    const stdout = collect(child.stdout, outputLimitBytes);
    const stderr = collect(child.stderr, outputLimitBytes);
    const ending = createEnding(child, options.groupGraceMs);
    let hasTimedOut = false;
    const endLate = () => {
      hasTimedOut = true;
      ending.end();
    };
    const timer = timeoutMs === null ? undefined : setTimeout(endLate, timeoutMs);
    const cleanUp = () => {
      clearTimeout(timer);
      ending.finish();
      signal?.removeEventListener("abort", ending.end);
    };
    child.once("error", (error) => {
      cleanUp();
      reject(startError(program, error));
    });
    child.once("close", (code) => {
      cleanUp();
      if (hasTimedOut && timeoutMs !== null) {
        reject(new ProcessTimeoutError(`${program} timed out after ${timeoutMs / 1000} s and was killed`));
        return;
      }
      const isTruncated = stdout.isTruncated() || stderr.isTruncated();
      resolve({ code, stdout: stdout.text(), stderr: stderr.text(), isTruncated });
    });
    if (signal?.aborted) ending.end();
    signal?.addEventListener("abort", ending.end, { once: true });
    // A program may exit before it reads all of its input; its exit code decides.
    child.stdin?.on("error", () => {});
    if (typeof input === "string") child.stdin?.end(input);
  });
}

function startError(program: string, error: Error): ProcessError {
  return new ProcessError(`${program} cannot be started: ${error.message}`, { cause: error });
}

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

/** A process that was started and may not have its input yet. */
export type StartedProcess = ChildProcess;

/** Starts a process, which the caller passes to `finishProcess`. */
export function startProcess(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): ChildProcess {
  const { cwd = "/", environment = defaultEnvironment, input, output, groupGraceMs } = options;
  const stdin = typeof input === "string" ? "pipe" : (input?.fd ?? "ignore");
  return spawn(program, args, {
    cwd,
    env: environment,
    stdio: [stdin, output?.fd ?? "pipe", "pipe"],
    detached: groupGraceMs !== undefined,
  });
}

/** Ends a process, or its group if there is a grace period. `finish` ends what it left behind in its group. */
function createEnding(child: ChildProcess, graceMs: number | undefined) {
  let killer: NodeJS.Timeout | undefined;
  const killGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  return {
    end: () => {
      if (graceMs === undefined) {
        child.kill("SIGKILL");
        return;
      }
      killGroup("SIGTERM");
      killer ??= setTimeout(() => killGroup("SIGKILL"), graceMs);
    },
    finish: () => {
      clearTimeout(killer);
      if (graceMs !== undefined) killGroup("SIGKILL");
    },
  };
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
