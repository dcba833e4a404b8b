/** Sends probes with fping: one process for all targets, because to start a process costs as much as a hundred packets. */
import { ProcessError, type Run } from "#system/processes.ts";

export interface FpingJob {
  /** The node's addresses that ask, at most one of each address family; without one, the kernel chooses it. */
  readonly sources: readonly string[];
  /** Addresses; link-local ones with the interface as their zone. */
  readonly targets: readonly string[];
}

export interface FpingResult {
  /** Round trips in milliseconds by target; null without a reply. A target whose result is unknown has no entry. */
  readonly roundTrips: ReadonlyMap<string, number | null>;
  /** Why fping could not work; null if it did. */
  readonly problem: string | null;
}

/** Of ICMP data: IPv6 packets have 64 bytes with it, IPv4 packets 44. */
const dataBytes = 16;
const replyTimeoutMs = 1_000;
/**
 * The packets of a job are sent within this time: a route that changes after it was asked for would lead a packet elsewhere. A few of
 * them are not sent slower than this.
 */
const spreadMs = 2_000;
const maxPauseMs = 20;
const timeoutMs = 30_000;

/** Sends one packet to each target. When aborted, what has replied so far counts, and the rest is unknown. */
export async function probe(
  run: Run,
  { sources, targets }: FpingJob,
  signal: AbortSignal,
): Promise<FpingResult> {
  const pauseMs = Math.min(maxPauseMs, Math.max(1, Math.floor(spreadMs / targets.length)));
  const args = [
    ...familyOption(targets),
    "-c1",
    `-b${dataBytes}`,
    `-t${replyTimeoutMs}`,
    `-i${pauseMs}`,
    ...sources.flatMap((source) => ["-S", source]),
    ...targets,
  ];
  try {
    const { code, stdout, stderr } = await run("fping", args, { timeoutMs, signal });
    const roundTrips = parseReplies(`${stdout}\n${stderr}`);
    return { roundTrips, problem: signal.aborted ? null : problemOf(code, roundTrips.size, stderr) };
  } catch (error) {
    if (!(error instanceof ProcessError)) throw error;
    return { roundTrips: new Map<string, number | null>(), problem: error.message };
  }
}

/** With targets of one address family, fping does not need a socket of the other one. */
function familyOption(targets: readonly string[]): readonly string[] {
  const families = new Set(targets.map((target) => (target.includes(":") ? "-6" : "-4")));
  return families.size === 1 ? [...families] : [];
}

/** Parses the line of each reply or timeout, and the summary, which alone contains packets that could not be sent. */
export function parseReplies(output: string): FpingResult["roundTrips"] {
  const roundTrips = new Map<string, number | null>();
  for (const line of output.split("\n")) {
    const [, target, rest = ""] = /^(\S+) +: (.*)$/.exec(line) ?? [];
    if (target === undefined || roundTrips.has(target)) continue;
    const [, reply] = /^\[0\], \d+ bytes, ([\d.]+) ms/.exec(rest) ?? [];
    const [, sent, received, mean] =
      /^xmt\/rcv\/%\w+ = (\d+)\/(\d+)\/\d+%(?:, min\/avg\/max = [\d.]+\/([\d.]+)\/)?/.exec(rest) ?? [];
    if (reply !== undefined) roundTrips.set(target, Number(reply));
    else if (mean !== undefined) roundTrips.set(target, Number(mean));
    else if (rest.startsWith("[0], timed out") || (Number(sent) > 0 && received === "0"))
      roundTrips.set(target, null);
  }
  return roundTrips;
}

/**
 * fping exits with 1 without some replies, and with 2 if an interface is missing, which are results. That the node lacks the
 * source is what its own checks say.
 */
function problemOf(code: number | null, results: number, stderr: string): string | null {
  if (code === 0 || code === 2 || (code === 1 && results > 0)) return null;
  const text = stderr.trim();
  if (/cannot bind source address/.test(text)) return null;
  return text === "" ? `fping exited with ${code ?? "a signal"}` : text;
}
