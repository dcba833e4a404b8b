/**
 * With `strict_source` in the provider profile, a participant may send only from prefixes that the node has received from
 * it, rejected ones included, or that the ROAs name it as origin of.
 *
 * Cost of a refresh: BIRD prints its sessions and ROAs, and the routes of sessions with new updates. Its limit for the
 * routes of a channel (`receiveLimit`) bounds the prefixes of a participant.
 */
import { type BgpSession, interfaceName, sessionsOf } from "#domain/peering/bgp-sessions.ts";
import { contains, formatAddress, formatPrefix, parsePrefix, type Prefix } from "#domain/prefix.ts";
import { type Clock, runEvery } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { assertNoBirdError, type BirdControl, BirdUnavailableError } from "../bird/control-socket.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";

/** The prefixes that a participant may send from, by its interface; without an entry they are not known. */
export type SourcesByInterface = ReadonlyMap<string, readonly string[]>;

export interface StrictSources extends AsyncDisposable {
  /** Nothing is read or limited before it is strict. */
  readonly setStrict: (isStrict: boolean) => void;
  /** The sources as read last. */
  readonly current: () => SourcesByInterface;
  /** Reads the sources again, and returns them; those of before while BIRD does not respond. */
  readonly refresh: (running: RoutedSet) => Promise<SourcesByInterface>;
}

export interface StrictSourcesOptions {
  readonly bird: BirdControl;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly running: () => RoutedSet;
}

const refreshMs = 10_000;
const roaTables = ["dn42_roa4", "dn42_roa6"];

interface Received {
  /** Changes when BIRD receives routes. */
  readonly counters: string;
  readonly prefixes: readonly Prefix[];
}

/** Creates the loop that reads the sources every ten seconds. */
export function monitorStrictSources({ bird, clock, log, running }: StrictSourcesOptions): StrictSources {
  let isStrict = false;
  let current: SourcesByInterface = new Map();
  /** Logged once. */
  let lastProblem = "";
  let received: ReadonlyMap<string, Received> = new Map();

  async function readLines(command: string): Promise<readonly string[]> {
    const reply = assertNoBirdError(await bird(command));
    if (reply.isTruncated) throw new BirdUnavailableError(`BIRD's reply to "${command}" is too long.`);
    return reply.lines.map(({ text }) => text);
  }

  async function readReceived({ name }: BgpSession, counters: string): Promise<Received> {
    const known = received.get(name);
    if (known?.counters === counters) return known;
    const replies = [
      await readLines(`show route protocol ${name}`),
      await readLines(`show route filtered protocol ${name}`),
    ];
    return { counters, prefixes: replies.flat().flatMap(parseRoute) };
  }

  async function readAll(peerings: RoutedSet): Promise<SourcesByInterface> {
    const counters = parseCounters(await readLines(`show protocols all "${interfaceName("*")}"`));
    const registered = new Map<string, Prefix[]>();
    for (const table of roaTables) {
      for (const { asn, prefix } of (await readLines(`show route table ${table}`)).flatMap(parseRoa))
        registered.set(asn, [...(registered.get(asn) ?? []), prefix]);
    }
    const nextReceived = new Map<string, Received>();
    const next = new Map<string, readonly string[]>();
    for (const { peering } of peerings.values()) {
      const sources = [...(registered.get(peering.asn) ?? [])];
      for (const session of sessionsOf(peering)) {
        const read = await readReceived(session, counters.get(session.name) ?? "");
        nextReceived.set(session.name, read);
        sources.push(...read.prefixes);
      }
      next.set(interfaceName(peering.asn), outermost(sources).map(toElement));
    }
    received = nextReceived;
    return next;
  }

  async function refresh(peerings: RoutedSet): Promise<SourcesByInterface> {
    if (!isStrict || peerings.size === 0) return current;
    try {
      const next = await readAll(peerings);
      if (isStrict) current = next;
      lastProblem = "";
    } catch (error) {
      if (!(error instanceof BirdUnavailableError)) throw error;
      const { message: reason } = error;
      if (reason !== lastProblem)
        log.warn({ reason }, "could not read the prefixes that participants may send from");
      lastProblem = reason;
    }
    return current;
  }

  const monitor = runEvery(clock, refreshMs, async () => {
    await refresh(running());
  });
  return {
    setStrict: (next) => {
      isStrict = next;
      if (!isStrict) [current, received] = [new Map(), new Map()];
    },
    current: () => current,
    refresh,
    [Symbol.asyncDispose]: () => monitor[Symbol.asyncDispose](),
  };
}

/** Returns a text for each session that changes when it receives routes or starts again. */
function parseCounters(lines: readonly string[]): ReadonlyMap<string, string> {
  const counters = new Map<string, string>();
  let name = "";
  for (const line of lines) {
    const head = /^(\S+)\s+BGP\s.*$/.exec(line);
    if (head) name = head[1] ?? "";
    if (head || /^\s+Import (?:updates|withdraws):/.test(line))
      counters.set(name, `${counters.get(name) ?? ""}${line}\n`);
  }
  return counters;
}

/** A default route says nothing about sources. */
function parseRoute(line: string): readonly Prefix[] {
  const parsed = parsePrefix(/^\S+/.exec(line)?.[0] ?? "");
  return parsed === null || parsed.length === 0 ? [] : [parsed];
}

/** Parses a line like `172.20.1.0/26-29 AS4242420001 …`. */
function parseRoa(line: string): ReadonlyArray<{ readonly asn: string; readonly prefix: Prefix }> {
  const [, text = "", asn = ""] = /^(\S+\/\d+)-\d+ AS(\d+)\s/.exec(line) ?? [];
  const prefix = parsePrefix(text);
  return prefix === null ? [] : [{ asn, prefix }];
}

/** Returns the prefixes that no other one contains: elements of a set must not overlap. */
export function outermost(prefixes: readonly Prefix[]): readonly Prefix[] {
  const kept: Prefix[] = [];
  // A containing prefix comes directly before those that it contains.
  for (const each of prefixes.toSorted(compare)) {
    const last = kept.at(-1);
    if (last === undefined || !contains(last, each)) kept.push(each);
  }
  return kept;
}

function compare(a: Prefix, b: Prefix): number {
  if (a.bits !== b.bits) return a.bits - b.bits;
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.length - b.length;
}

/** As nft prints it. */
export function toElement(prefix: Prefix): string {
  return prefix.length === prefix.bits ? formatAddress(prefix) : formatPrefix(prefix);
}
