/**
 * Watches participants' sessions in the background, for what BIRD forgets or does not know: when they ended, ends by the hold
 * timer, and sessions whose neighbour confirms nothing.
 *
 * BIRD shows that a hold timer ended a session until the next error or the next session, which may be a second later: a
 * neighbour that waits after an error closes each connection of this node. Looks are five seconds apart, so some ends are not
 * seen. They are known by the connection: it is gone, and was silent for too long in one direction.
 *
 * A look costs one reply of BIRD with a line for each session, and every third one run of `ss` for all.
 */
import type { Run } from "#system/processes.ts";
import { interfaceName, sessionsOf } from "#domain/peering/bgp-sessions.ts";
import { type Clock, runEvery } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { createThrottledWarning } from "../../throttled-warning.ts";
import { showAllSessions } from "../bird/all-sessions.ts";
import type { BirdControl } from "../bird/control-socket.ts";
import { parseHeading } from "../bird/parse-session.ts";
import { type BirdQueries, createBirdQueries } from "../bird/queries.ts";
import type { SessionObservation } from "../router.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import { createHoldTimerEnds } from "./hold-timer-ends.ts";
import { neighbourKey, parseConnections } from "./parse-connections.ts";
import { createSessionHistory } from "./session-history.ts";
import {
  type ConnectionReading,
  isSendingRoutes,
  readConnection,
  unconfirmedSeconds,
  wasOverdue,
} from "./unconfirmed.ts";

export interface SessionWatchOptions {
  readonly providerAsn: string;
  readonly bird: BirdControl;
  readonly run: Run;
  readonly running: () => RoutedSet;
  readonly clock: Clock;
  readonly log: Log;
}

/** BIRD's replies, with what the watch knows about the sessions. */
export interface WatchedSessions extends BirdQueries, AsyncDisposable {
  /** The sessions of these AS numbers are changed or restarted on purpose: the end of a connection is no fault. */
  readonly expectChanges: (asns: ReadonlySet<string>) => void;
}

const intervalMs = 5000;
const looksPerConnectionLook = 3;
/** A reading is unknown after two failed looks. */
const maxAgeMs = 45_000;
/** How long after the end of a session BIRD may come to show its cause. */
const causeMs = 10_000;

const holdTimer = /(?:BGP Error|Received): Hold timer expired\s*$/;

export function watchSessions(options: SessionWatchOptions): WatchedSessions {
  const { providerAsn, bird, run, running, clock, log } = options;
  const queries = createBirdQueries(bird, providerAsn);
  const warn = createThrottledWarning(log, clock, "could not look at the BGP connections");
  const history = createSessionHistory(bird);
  let ends = createHoldTimerEnds();
  let readings: ReadonlyMap<string, ConnectionReading> = new Map();
  let looks = 0;

  /** Returns whether a session has ended since the look before. */
  async function lookAtStates(): Promise<boolean> {
    const { lines } = await showAllSessions(bird, "show protocols");
    const now = clock.now();
    const listed = lines.flatMap((line) => {
      const heading = parseHeading(line);
      if (heading === null) return [];
      const { name, state, since } = heading;
      return { name, isUp: state === "up", since, text: line.text };
    });
    await history.record(listed, now);
    for (const { name, text } of listed) {
      // A session that was not up before did not end: its hold timer also waits for the first message.
      if (now - history.endOf(name) < causeMs && holdTimer.test(text)) ends.add(name, now);
    }
    ends.retain(new Set(listed.map(({ name }) => name)));
    return listed.some(({ name }) => history.endOf(name) === now);
  }

  async function lookAtConnections(): Promise<void> {
    const { code, stdout, stderr } = await run("ss", ["-Htin", "sport = :179 or dport = :179"]);
    if (code !== 0) throw new Error(`ss failed: ${stderr.slice(0, 200)}`);
    const now = clock.now();
    const connections = parseConnections(stdout);
    const found = new Map<string, ConnectionReading>();
    for (const [session, key] of neighbourKeys(running())) {
      const previous = readings.get(session);
      const connection = connections.get(key);
      if (previous && previous.identity !== connection?.identity && wasOverdue(previous, now))
        ends.add(session, now);
      if (connection) found.set(session, readConnection(previous, connection, now));
    }
    readings = found;
  }

  async function look(): Promise<void> {
    const isTurn = looks++ % looksPerConnectionLook === 0;
    if (running().size === 0) {
      forgetAll();
      return history.forgetAll();
    }
    const hasEnded = await lookAtStates().catch(() => {
      // A BIRD that has started again has new sessions.
      forgetAll();
      return false;
    });
    if (!isTurn && !hasEnded) return;
    await lookAtConnections().catch((error: unknown) => {
      readings = new Map();
      warn({ err: error });
    });
  }

  function forgetAll(): void {
    history.expectEnds(() => true);
    [ends, readings] = [createHoldTimerEnds(), new Map()];
  }

  function expectEnds(sessions: ReadonlySet<string>): void {
    history.expectEnds((session) => sessions.has(session));
    readings = new Map(Array.from(readings).filter(([session]) => !sessions.has(session)));
  }

  function withWatched<S extends SessionObservation>(session: S): S {
    const now = clock.now();
    const flaps = ends.of(session.name, now);
    const reading = readings.get(session.name);
    const isKnown = session.state === "Established" && reading && now - reading.readAt < maxAgeMs;
    const unconfirmed = isKnown ? unconfirmedSeconds(reading) : null;
    const hasWaiting = unconfirmed !== null || (isKnown === true && isSendingRoutes(reading));
    return {
      ...session,
      ...history.agesOf(session.name, session.state === "Established", now),
      ...(flaps !== null && { flaps }),
      ...(unconfirmed !== null && { unconfirmedSeconds: unconfirmed }),
      ...(hasWaiting && { routes: session.routes.map((channel) => ({ ...channel, exported: null })) }),
    };
  }

  const loop = runEvery(clock, intervalMs, look);
  return {
    ...queries,
    observe: async (names) => (await queries.observe(names)).map(withWatched),
    sessions: async (sessions) => (await queries.sessions(sessions)).map(withWatched),
    restart: (sessions) => {
      expectEnds(new Set(sessions.map(({ name }) => name)));
      return queries.restart(sessions);
    },
    expectChanges: (asns) => {
      const changed = Array.from(running().values()).filter(({ peering }) => asns.has(peering.asn));
      expectEnds(new Set(changed.flatMap(({ peering }) => sessionsOf(peering).map(({ name }) => name))));
    },
    [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose](),
  };
}

/** Where the connection of each session leads. */
function neighbourKeys(running: RoutedSet): ReadonlyMap<string, string> {
  const keys = Array.from(running.values()).flatMap(({ peering }) =>
    sessionsOf(peering).flatMap(({ name, transport }) => {
      const address = transport === "IPv4" ? peering.peerIpv4 : peering.peerIpv6;
      return address === null ? [] : [[name, neighbourKey(address, interfaceName(peering.asn))] as const];
    }),
  );
  return new Map(keys);
}
