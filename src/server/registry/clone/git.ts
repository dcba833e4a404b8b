/**
 * Runs git: the only place in the server that starts processes. No shell, no prompts, no hooks, no submodules and no
 * configuration of the machine, so that neither a remote nor a repository decides what else is run.
 *
 * Invariant: when the promise settles, git and the programs that it started have ended.
 */
import { spawn } from "node:child_process";

export interface GitOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Ends git. */
  readonly signal?: AbortSignal | undefined;
  /** Additional variables, such as GIT_INDEX_FILE. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Git could not be started, was ended, or failed. The message is one line for the operator. */
export class GitError extends Error {
  override readonly name = "GitError";
  /** Null unless git itself ended with an error. */
  readonly exitCode: number | null;

  constructor(message: string, exitCode: number | null = null) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Enough for the names of 100,000 objects. */
const maxOutputBytes = 8 * 1024 * 1024;
const maxErrorBytes = 16 * 1024;
/** Git removes its temporary files and locks when it receives SIGTERM. */
const graceMs = 2_000;

/** What the transports need: the SSH keys and `.netrc` of the server's user, proxies, certificates. */
const inherited = [
  "PATH",
  "HOME",
  "SSH_AUTH_SOCK",
  "GIT_SSL_CAINFO",
  ...["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap((name) => [name, name.toUpperCase()]),
];

const fixedEnvironment = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes -oConnectTimeout=15 -oServerAliveInterval=15",
} as const;

const fixedConfig = [
  "core.hooksPath=/dev/null",
  // A link in the registry could lead to any file of this machine.
  "core.symlinks=false",
  "core.fsmonitor=false",
  "submodule.recurse=false",
  // Otherwise a garbage collection would continue after the fetch.
  "gc.autoDetach=false",
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=30",
].flatMap((setting) => ["-c", setting]);

/** Runs git and returns its standard output. Rejects with `GitError`. */
export function runGit(args: readonly string[], options: GitOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    let reason: string | null = null;
    const child = spawn("git", [...fixedConfig, ...args], {
      cwd: options.cwd,
      env: { ...readInherited(), ...fixedEnvironment, ...options.environment },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, so that the transport's program is ended too.
      detached: true,
    });
    const kill = (signal: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // It has ended.
      }
    };
    let killer: NodeJS.Timeout | undefined;
    const end = (why: string) => {
      reason ??= why;
      kill("SIGTERM");
      killer ??= setTimeout(() => kill("SIGKILL"), graceMs);
    };
    const timer = setTimeout(
      () => end(`There was no result within ${options.timeoutMs / 1000} s.`),
      options.timeoutMs,
    );
    const abort = () => end("The server is stopping.");
    if (options.signal?.aborted) abort();
    options.signal?.addEventListener("abort", abort, { once: true });
    const stdout = collect(child.stdout, maxOutputBytes, () => end("Git printed too much."));
    const stderr = collect(child.stderr, maxErrorBytes, () => undefined);
    const settle = (work: () => void) => {
      clearTimeout(timer);
      clearTimeout(killer);
      options.signal?.removeEventListener("abort", abort);
      work();
    };
    child.once("error", (error) =>
      settle(() => reject(new GitError(`The program git cannot be started (${error.message}).`))),
    );
    child.once("close", (code) =>
      settle(() => {
        // Whatever git left behind in its group.
        kill("SIGKILL");
        if (reason !== null) reject(new GitError(reason));
        else if (code === 0) resolve(stdout());
        else reject(new GitError(readReason(stderr()), code));
      }),
    );
  });
}

function readInherited(): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function collect(stream: NodeJS.ReadableStream, limit: number, onLimit: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    const remaining = limit - size;
    if (chunk.length > remaining) onLimit();
    if (remaining > 0) chunks.push(chunk.subarray(0, remaining));
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

/** Returns git's first error as one line. The remote may have written any part of it. */
function readReason(stderr: string): string {
  const lines = stderr
    .replaceAll(/[^\P{C}\n]/gu, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const line = lines.find((each) => /^(?:fatal|error):/.test(each)) ?? lines[0] ?? "Git failed.";
  return line.slice(0, 300);
}
