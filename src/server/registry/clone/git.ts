/**
 * Runs git: no prompts, no hooks, no submodules and no configuration of the machine, so that neither a remote nor a
 * repository decides what else is run.
 *
 * Invariant: when the promise settles, git and the programs that it started have ended.
 */
import { ProcessError, runProcess } from "#system/processes.ts";

export interface GitOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Ends git. */
  readonly signal?: AbortSignal | undefined;
  /** Additional variables, such as GIT_INDEX_FILE, which replace the fixed ones. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Git could not be started, was ended, or failed. The message is one line for the operator. */
export class GitError extends Error {
  override readonly name = "GitError";
  /** Null unless git itself ended with an error. */
  readonly exitCode: number | null;
  /** All that git and its transport wrote. */
  readonly output: string;

  constructor(
    message: string,
    {
      exitCode = null,
      output = message,
      cause,
    }: { readonly exitCode?: number | null; readonly output?: string; readonly cause?: Error } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.output = output;
  }
}

/** Enough for the names of 100,000 objects. */
const maxOutputBytes = 8 * 1024 * 1024;
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
export async function runGit(args: readonly string[], options: GitOptions): Promise<string> {
  const { cwd, timeoutMs, signal, environment } = options;
  const { code, stdout, stderr, isTruncated } = await runProcess("git", [...fixedConfig, ...args], {
    cwd,
    timeoutMs,
    signal,
    environment: { ...readInherited(), ...fixedEnvironment, ...environment },
    outputLimitBytes: maxOutputBytes,
    // The transport's program is in the group.
    groupGraceMs: graceMs,
  }).catch((error: unknown) => {
    throw error instanceof ProcessError ? new GitError(error.message, { cause: error }) : error;
  });
  if (signal?.aborted) throw new GitError("The server is stopping.");
  if (code !== 0) throw new GitError(readReason(stderr), { exitCode: code, output: stderr });
  if (isTruncated) throw new GitError("Git printed too much.");
  return stdout;
}

function readInherited(): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
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
