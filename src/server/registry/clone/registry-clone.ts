/**
 * The registry clone that the server keeps in its data folder:
 *
 * - `repository`: a bare repository. HEAD is the commit in use.
 * - `files-…`: the files of one commit, which are never changed. The previous ones remain for calls that still read them.
 * - `state.json`: which files are in use, and when the last fetch succeeded.
 * - `gitconfig`: for a remote on this machine (local-remote.ts).
 *
 * Invariants: `update` runs at most once at a time in this process, and among all servers under one lock. Whatever
 * fails, the files in use remain complete, and the time of the last success is not changed. A commit replaces the one in
 * use only if it descends from it and has at least half of its AS objects.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import type { RegistrySource } from "../registry-source.ts";
import { type CloneState, readCloneState, writeCloneState } from "./clone-state.ts";
import { GitError, runGit } from "./git.ts";
import { allowLocalRemote } from "./local-remote.ts";

export interface RegistryCloneOptions {
  /** The folder of the clone. It belongs to the server alone. */
  readonly folder: string;
  /** What git fetches from. */
  readonly url: string;
  /** Runs the work unless another server does so, and returns whether it ran. */
  readonly runExclusive: (work: () => Promise<void>) => Promise<boolean>;
  readonly clock: () => number;
  readonly log: Logger;
  /** How long a fetch before a password reset may take; default 10 s. */
  readonly refreshTimeoutMs?: number;
}

/** Disposing it ends an update that is in progress. */
export interface RegistryClone extends RegistrySource, AsyncDisposable {
  /** Fetches and switches to the fetched commit, unless another server does so. Failures are logged and stored. */
  update(options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<void>;
  readState(): Promise<CloneState>;
}

/** An attempt within this time serves further callers of `refresh`. */
const recentMs = 30_000;
/** While the remote does not respond, a copy of this age still serves password resets. */
const maxResetAgeMs = 3_600_000;
const defaultRefreshTimeoutMs = 10_000;
/** For commands that use no network. */
const localTimeoutMs = 120_000;

/** What was fetched is not used. The message is for the operator. */
class FetchRejectedError extends Error {
  override readonly name = "FetchRejectedError";
}

export function createRegistryClone(options: RegistryCloneOptions): RegistryClone {
  const { url, runExclusive, clock, log, refreshTimeoutMs = defaultRefreshTimeoutMs } = options;
  const folder = resolve(options.folder);
  const repository = join(folder, "repository");
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  /** The files from before this process started may be incomplete, since a power cut loses what was not synced. */
  let mayBeIncomplete = true;

  const git = (args: readonly string[], more: Partial<Parameters<typeof runGit>[1]> = {}) =>
    runGit(["--git-dir", repository, ...args], { cwd: folder, timeoutMs: localTimeoutMs, ...more });

  async function fetchCommit(timeoutMs: number, signal?: AbortSignal): Promise<string> {
    await mkdir(repository, { recursive: true, mode: 0o700 });
    await removeLeftovers(repository);
    await runGit(["init", "--quiet", "--bare", "--template=", repository], {
      cwd: folder,
      timeoutMs: localTimeoutMs,
      signal,
    });
    const refs = "+HEAD:refs/fetched";
    const flags = ["--quiet", "--no-tags", "--no-recurse-submodules"];
    const environment = await allowLocalRemote(url, folder);
    await git(["fetch", ...flags, "--", url, refs], { timeoutMs, signal, environment });
    return (await git(["rev-parse", "--verify", "--quiet", "refs/fetched^{commit}"], { signal })).trim();
  }

  async function countAutNums(commit: string): Promise<number> {
    const names = await git(["ls-tree", "--name-only", `${commit}:data/aut-num`]).catch(() => "");
    return names.split("\n").filter((name) => name.startsWith("AS")).length;
  }

  async function assertUsable(fetched: string, current: string | null): Promise<void> {
    const count = await countAutNums(fetched);
    if (count === 0) {
      throw new FetchRejectedError(`The fetched commit ${fetched} has no AS objects in data/aut-num.`);
    }
    if (current === null || fetched === current) return;
    const descends = await git(["merge-base", "--is-ancestor", current, fetched]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof GitError && error.exitCode !== null) return false;
        throw error;
      },
    );
    if (!descends) {
      throw new FetchRejectedError(
        `The remote's history does not contain the commit in use, ${current}: it was rewritten to ${fetched}, or the ` +
          "remote is older.",
      );
    }
    const before = await countAutNums(current);
    if (count * 2 < before) {
      throw new FetchRejectedError(
        `The fetched commit ${fetched} has only ${count} of ${before} AS objects.`,
      );
    }
  }

  /** Writes the files of a commit into a new folder and returns its name. */
  async function writeFiles(commit: string): Promise<string> {
    const name = `files-${randomUUID()}`;
    const path = join(folder, name);
    await mkdir(path);
    // Before all attributes in the registry itself, which could change the contents of files.
    await mkdir(join(repository, "info"), { recursive: true });
    const attributes = "* -text -eol -ident -filter -working-tree-encoding\n";
    await writeFile(join(repository, "info", "attributes"), attributes);
    const index = join(folder, `${name}.index`);
    const within = { cwd: path, environment: { GIT_INDEX_FILE: index } };
    try {
      await git(["--work-tree", path, "read-tree", "--prefix=data/", `${commit}:data`], within);
      await git(["--work-tree", path, "checkout-index", "--all", "--quiet"], within);
    } finally {
      await rm(index, { force: true });
    }
    return name;
  }

  async function switchTo(fetched: string, state: CloneState): Promise<CloneState> {
    const isCurrent = state.commit === fetched && !mayBeIncomplete;
    const files = (isCurrent ? state.files : null) ?? (await writeFiles(fetched));
    await git(["update-ref", "--no-deref", "HEAD", fetched]);
    const head = (await git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])).trim();
    if (head !== fetched) throw new FetchRejectedError(`HEAD is ${head} after fetching ${fetched}.`);
    const now = clock();
    const next = {
      commit: fetched,
      files,
      fetchedAt: now,
      attemptedAt: now,
      problem: null,
      isRejected: false,
    };
    await writeCloneState(folder, next);
    mayBeIncomplete = false;
    await removeOtherFiles([files, state.files]);
    return next;
  }

  async function removeOtherFiles(kept: ReadonlyArray<string | null>): Promise<void> {
    const others = (await readdir(folder)).filter(
      (name) => name.startsWith("files-") && !kept.includes(name),
    );
    for (const name of others) await rm(join(folder, name), { recursive: true, force: true });
  }

  async function updateNow(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const state = await readCloneState(folder);
    try {
      const fetched = await fetchCommit(timeoutMs, signal);
      await assertUsable(fetched, state.commit);
      const { commit } = await switchTo(fetched, state);
      if (commit !== state.commit) log.info({ commit, previous: state.commit }, "the registry was updated");
    } catch (error) {
      if (signal?.aborted) return;
      const isRejected = error instanceof FetchRejectedError;
      const isExpected = isRejected || error instanceof GitError;
      const problem = error instanceof Error ? error.message : String(error);
      const level = isRejected ? "error" : "warn";
      log[level](isExpected ? { problem } : { err: error }, "the registry was not updated");
      await writeCloneState(folder, { ...state, attemptedAt: clock(), problem, isRejected });
    }
  }

  async function update({ timeoutMs, signal }: Parameters<RegistryClone["update"]>[0]): Promise<void> {
    const end = AbortSignal.any(signal ? [closing.signal, signal] : [closing.signal]);
    const run = async () => {
      await runExclusive(() => updateNow(timeoutMs, end));
    };
    running ??= run().finally(() => {
      running = null;
    });
    await running;
  }

  async function wasAttempted(): Promise<boolean> {
    const { attemptedAt } = await readCloneState(folder);
    return attemptedAt !== null && Math.abs(clock() - attemptedAt) < recentMs;
  }

  /** Updates for at most `refreshTimeoutMs`; an update that already runs may take longer. */
  async function tryUpdate(): Promise<void> {
    const updating = update({ timeoutMs: refreshTimeoutMs }).catch((error: unknown) =>
      log.error({ err: error }, "updating the registry failed"),
    );
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, refreshTimeoutMs);
    await Promise.race([updating, timeout.promise]);
    clearTimeout(timer);
  }

  return {
    update,
    readState: () => readCloneState(folder),
    locate: async () => {
      const { files, fetchedAt } = await readCloneState(folder);
      if (files === null || fetchedAt === null) return null;
      const isClone = await stat(join(repository, "HEAD")).then(
        () => true,
        () => false,
      );
      return isClone ? { path: join(folder, files), isImmutable: true, fetchedAt } : null;
    },
    refresh: async () => {
      if (!(await wasAttempted())) await tryUpdate();
      const { fetchedAt } = await readCloneState(folder);
      return fetchedAt !== null && clock() - fetchedAt <= maxResetAgeMs;
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await running?.catch(() => undefined);
    },
  };
}

/** Removes what a git that was killed left: locks, which stop later commands, and incomplete packs. */
async function removeLeftovers(repository: string): Promise<void> {
  for (const path of await readdir(repository, { recursive: true })) {
    if (path.endsWith(".lock") || /[\\/]tmp_[^\\/]*$/.test(path))
      await rm(join(repository, path), { force: true });
  }
}
