/**
 * Changes of BIRD's configuration that its operator has saved and BIRD has not loaded. `configure` would load them, half
 * finished, for a change of a participant.
 *
 * BIRD says when it loaded its configuration. Files that were changed later, and files whose content differs from the
 * loaded content, are not loaded. The agent's own files do not count.
 */
import { basename, sep } from "node:path";
import { describeToOperator, type Finding } from "#domain/findings/findings.ts";
import type { Log } from "../../log.ts";
import { assertNoBirdError, type BirdControl, type BirdReply, isBirdError } from "./control-socket.ts";
import { type ConfigFiles, createConfigReader } from "./included-files.ts";

export interface UnloadedChanges {
  /**
   * Why `configure` must wait; null if it may run. Rejects with `BirdUnavailableError`.
   */
  readonly find: () => Promise<Finding | null>;
}

export interface UnloadedChangesOptions {
  readonly bird: BirdControl;
  /** Folders that only the agent writes to. */
  readonly ownFolders: readonly string[];
  /** Whether the agent may load the operator's changes, as long as BIRD can parse them. */
  readonly mayLoad: boolean;
  readonly log: Log;
}

/** A time in the past, from `show status`. */
interface BirdTime {
  readonly printed: string;
  /** The same in milliseconds since 1970; null if the operator chose a format of times without a date. */
  readonly at: number | null;
}

/** What BIRD has loaded, with the digests of the files by path. */
interface Baseline {
  readonly loadedAt: BirdTime;
  readonly digests: ReadonlyMap<string, string>;
}

/** The finding names the first of them. */
const maxNames = 4;
/** Belongs to the package, which may replace it. It is loaded with the next change if BIRD can parse it. */
const policyFile = "peerdeck-policy.conf";

export function createUnloadedChanges(options: UnloadedChangesOptions): UnloadedChanges {
  const { bird, ownFolders, mayLoad, log } = options;
  const readFiles = createConfigReader((path) => ownFolders.some((folder) => path.startsWith(folder + sep)));
  let root: { readonly startedAt: BirdTime; readonly path: string | null } | null = null;
  let baseline: Baseline | null = null;
  let isWaiting = false;

  /** Returns the path of bird.conf; null if BIRD was started with one that is relative to an unknown folder. */
  async function findRoot(startedAt: BirdTime): Promise<string | null> {
    if (root !== null && isSameTime(root.startedAt, startedAt)) return root.path;
    const [, path = ""] = /^Reading configuration from (.*)$/m.exec(textOf(await checkSyntax())) ?? [];
    root = { startedAt, path: path.startsWith("/") ? path : null };
    return root.path;
  }

  /** BIRD parses all files, and loads none. */
  const checkSyntax = () => bird("configure check");

  async function findChanged(): Promise<readonly string[]> {
    const { startedAt, loadedAt } = readTimes(assertNoBirdError(await bird("show status")));
    const path = await findRoot(startedAt);
    if (path === null) return [];
    const files = await readFiles(path);
    if (baseline === null || !isSameTime(baseline.loadedAt, loadedAt))
      baseline = { loadedAt, digests: digestsAt(loadedAt, files) };
    const { digests } = baseline;
    const paths = new Set([...digests.keys(), ...files.keys()]);
    return [...paths].filter((each) => digests.get(each) !== files.get(each)?.digest);
  }

  async function findReason(): Promise<{ readonly finding: Finding; readonly detail: object } | null> {
    const paths = await findChanged();
    if (paths.length === 0) return null;
    const names = [...new Set(paths.map((path) => basename(path)))].toSorted();
    // The operator's file names may contain spaces, and facts must not.
    const files = names.slice(0, maxNames).map((name) => name.replaceAll(/[\s\p{C}]/gu, "_"));
    const reply = await checkSyntax();
    if (isBirdError(reply)) {
      return {
        finding: { code: "bird-files-not-loaded", facts: { files, isInvalid: true } },
        detail: { paths, error: reply.text },
      };
    }
    if (mayLoad || names.every((name) => name === policyFile)) return null;
    return {
      finding: { code: "bird-files-not-loaded", facts: { files, isInvalid: false } },
      detail: { paths },
    };
  }

  return {
    find: async () => {
      const found = await findReason();
      if (found !== null && !isWaiting) log.warn(found.detail, describeToOperator(found.finding));
      if (found === null && isWaiting)
        log.info({}, "BIRD has loaded its configuration; changes wait no longer");
      isWaiting = found !== null;
      return found?.finding ?? null;
    },
  };
}

/** The digests of the files that have not been changed since then. */
function digestsAt({ at }: BirdTime, files: ConfigFiles): ReadonlyMap<string, string> {
  const unchanged = Array.from(files).filter(([, { changedAt }]) => at === null || changedAt <= at);
  return new Map(unchanged.map(([path, { digest }]) => [path, digest]));
}

/** BIRD computes a time in the past for each reply, so it varies by a millisecond. */
function isSameTime(before: BirdTime, now: BirdTime): boolean {
  if (before.at === null || now.at === null) return before.printed === now.printed;
  return Math.abs(now.at - before.at) < 10;
}

/** Reads when BIRD started and when it loaded its configuration from the reply to `show status`. */
function readTimes(reply: BirdReply): { readonly startedAt: BirdTime; readonly loadedAt: BirdTime } {
  const text = textOf(reply);
  const read = (label: string) => new RegExp(`^${label} (.*)$`, "m").exec(text)?.[1] ?? "";
  // BIRD prints local times, and may have been started with another time zone.
  const zoneMs = Math.round((Date.now() - parseTime(read("Current server time is"))) / minuteMs) * minuteMs;
  const readTime = (label: string): BirdTime => {
    const printed = read(label);
    const at = parseTime(printed) + zoneMs;
    return { printed, at: Number.isNaN(at) ? null : at };
  };
  return { startedAt: readTime("Last reboot on"), loadedAt: readTime("Last reconfiguration on") };
}

const minuteMs = 60_000;

/** Milliseconds since 1970 of a local time like "2026-11-24 02:15:11.498"; NaN if it has another format. */
function parseTime(text: string): number {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(text) ? Date.parse(text.replace(" ", "T")) : NaN;
}

const textOf = ({ lines }: BirdReply) => lines.map(({ text }) => text).join("\n");
