/**
 * The interface between the agent and the software that routes on a node.
 *
 * Above it are the apply pipeline, the HTTP service and every assessment (what is Up, what is an issue, how
 * to fix it). Below it is a driver that acts and reports facts. A driver never gets two requests for the same
 * reading at the same time: readings are shared above this interface, and `set` is never called while another
 * `set` runs.
 */
import type { NodeHealth, NodeLink, NodeUsage, ValuesInUse } from "../../contract/agent.ts";
import type { NodeExposure, OtherNode } from "../../contract/call-tables/other-node-calls.ts";
import type { LimitHit, RefusedRouteFacts } from "../../contract/call-tables/refused-route-facts.ts";
import type { PingResult } from "../../contract/diagnostics.ts";
import { describeToOperator, explainFinding, type Finding } from "../../domain/findings/findings.ts";
import type { Step } from "../../domain/findings/steps.ts";
import type { Family } from "../../domain/peering/bgp-sessions.ts";
import type { NodeKeys } from "./node-keys.ts";
import type { PeeringProbes } from "./probe-results.ts";
import type { RoutedPeering } from "./routed-peering.ts";

export type { RoutedPeering };

/** WireGuard neither sends nor accepts data with keys that are older (Reject-After-Time; whitepaper, section 6.1). */
export const maxHandshakeAgeSeconds = 180;

/**
 * The limit of wireguard-tools' reresolve-dns.sh. WireGuard starts a new handshake after 120 s, so an older one than this usually
 * means that the peer is not reachable.
 */
export const staleHandshakeSeconds = 135;

export interface RouterFacts {
  /** The node's first WireGuard public key. */
  readonly publicKey: string;
  readonly simulation: boolean;
}

/** What the packet filter has to know from the server. */
export interface OtherNodesState {
  readonly nodes: OtherNode[];
  /** Whether participants may send only from prefixes that the node received from them, or that are registered to them. */
  readonly strictSource: boolean;
  /** Prefixes of the servers, which alone reach the agent's port; empty if they are not known. Canonical. */
  readonly servers: readonly string[];
}

/** The parts of a set that change single peerings. */
export const setParts = ["tunnels", "sessions", "removed tunnels"] as const;
export type SetPart = (typeof setParts)[number];

/** What a set is for. It receives what the set has done, when it has done it. */
export interface SetReport {
  /**
   * The AS numbers of the peerings that are new or changed. If the tunnel of one of them cannot be set up, the set is refused.
   */
  readonly requested: ReadonlySet<string>;
  /** A completed step of the whole router. */
  readonly step: (step: Step) => void;
  /** A completed part, for every peering that the set changes. The caller of `set` describes it for each of them. */
  readonly completed: (part: SetPart) => void;
  /** Sessions of removed peerings have ended with their tunnels, and BIRD forgets them later. The part is not reported. */
  readonly postponedSessions: () => void;
  /** The tunnel of an AS that should have been running already, but was missing or had been changed by another program. */
  readonly repairedTunnel: (asn: string) => void;
}

/** A part of the set that drifted. */
export type DriftFinding = Finding & {
  /** Another program works against the repair, and this was reported before: one more repair is no event. */
  readonly isRepeated?: boolean;
};

/** For a set that changes no peering. */
export const ignoredReport: SetReport = {
  requested: new Set(),
  step: () => {},
  completed: () => {},
  postponedSessions: () => {},
  repairedTunnel: () => {},
};

export interface RefusalOptions extends ErrorOptions {
  /** What the router printed, for the log: it may contain paths and names of the node. */
  readonly detail?: string;
}

/** The router refused a set and runs the previous one. */
export class RouterRefusedError extends Error {
  override readonly name = "RouterRefusedError";
  readonly finding: Finding;

  constructor(finding: Finding, { detail, ...options }: RefusalOptions = {}) {
    const explanation = explainFinding(finding);
    super(detail === undefined ? explanation : `${explanation.replace(/\.$/, "")}: ${detail}`, options);
    this.finding = finding;
  }
}

/** The router does not respond, so its state is unknown. */
export class RouterUnavailableError extends Error {
  override readonly name = "RouterUnavailableError";
}

/** The operator is changing the router's configuration. A set was not begun, and nothing was changed; it may be repeated. */
export class RouterBusyError extends Error {
  override readonly name = "RouterBusyError";
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(describeToOperator(finding));
    this.finding = finding;
  }
}

/** The state of the node's machine. */
export type RouterHealth = Pick<NodeHealth, "uptimeSeconds" | "load" | "roaAgeSeconds"> & {
  readonly findings: readonly Finding[];
};

export interface PeeringObservation {
  readonly asn: string;
  /** Why the node cannot set up the tunnel, or not completely. */
  readonly leftOut?: Finding;
  readonly rxBytes: number;
  readonly txBytes: number;
  /** Null before the first handshake. */
  readonly handshakeAgeSeconds: number | null;
  /** How long the node has waited for the first handshake, as far as the agent has seen it; absent after that. */
  readonly waitingSeconds?: number;
  /** What the probes through the tunnel say; absent from a router that sends none. */
  readonly probes?: PeeringProbes;
  /** The node does not forward this peering's packets at the moment. `health` says why. */
  readonly isNotForwarded?: boolean;
  /** The address and port to which the node sends now; null while WireGuard knows none. Absent if it is not read. */
  readonly endpoint?: string | null;
  /** The sessions of `sessionsOf` that exist on the router. */
  readonly sessions: readonly SessionObservation[];
}

export interface SessionObservation extends SessionAges {
  /** The BIRD protocol's name. */
  readonly name: string;
  /** As BIRD prints it: Established, Active, OpenSent … */
  readonly state: string;
  /** Whether the operator disabled it (`birdc disable`). */
  readonly isDisabled?: boolean;
  /** BIRD's reason why the session is not Established; empty otherwise. */
  readonly detail: string;
  /** One entry for each channel of the session. */
  readonly routes: readonly ChannelRoutes[];
  /** How often its hold timer ended it lately; absent if it did not. */
  readonly flaps?: SessionFlaps;
  /** How long what the node sends has not been confirmed, in seconds; absent while all is. */
  readonly unconfirmedSeconds?: number;
  /** The capabilities that the neighbour announced when the session came up; null until then. Absent if they are not read. */
  readonly neighbour?: NeighbourCapabilities | null;
}

/** Since when a session is Established or not, as far as the agent has seen it. */
export interface SessionAges {
  /** Absent if that began before the agent. */
  readonly stateAgeSeconds?: number;
  /** The changes of the last 24 hours, the newest first; absent without one. */
  readonly changeAgesSeconds?: readonly number[];
}

/** The routes of one channel. */
export interface ChannelRoutes {
  readonly family: Family;
  /** Routes in the table now that the import filters accept; null if BIRD does not say. */
  readonly accepted: number | null;
  /** Routes in the table now that the import filters reject; null if BIRD does not say. */
  readonly filtered: number | null;
  /**
   * Routes that the session was sent since it came up; null if BIRD does not say, and while the neighbour has not confirmed
   * all that was sent.
   */
  readonly exported: number | null;
  /** Updates since the session came up that BIRD dropped as malformed: a counter, not a number of routes. */
  readonly malformedUpdates: number | null;
  readonly limits: readonly LimitHit[];
}

/** The ends of a session by its hold timer. */
export interface SessionFlaps {
  /** How often the hold timer ended it in the last ten minutes. */
  readonly holdTimerEnds: number;
  /** How long ago the first of these was. */
  readonly sinceSeconds: number;
}

/** A session with the capabilities that its neighbour announced when it last came up. */
export interface SessionDetail extends SessionObservation {
  readonly neighbour: NeighbourCapabilities | null;
}

export interface NeighbourCapabilities {
  readonly families: readonly Family[];
  /** Whether the neighbour accepts IPv4 routes with IPv6 next hops. */
  readonly extendedNextHop: boolean;
}

/**
 * A driver. Every call except `facts` and those of `NodeKeys` rejects with `RouterUnavailableError` if the router does
 * not respond. Calls about one AS are made only for peerings of the last confirmed set. Disposing waits for a running
 * `set` and leaves the router's configuration unchanged.
 *
 * Texts are the output of `wg`, `birdc` and `ping`, at most 1 MiB each; a driver that truncates one says so
 * in its last line. No private key of WireGuard crosses this interface.
 */
export interface Router extends AsyncDisposable, NodeKeys {
  /** Read from the node's own files; works without a running router. Called once, at startup. */
  readonly facts: () => Promise<RouterFacts>;

  /**
   * Makes the router run exactly these peerings, sorted by AS number, and removes all others that it was
   * given before.
   *
   * - All or nothing: resolves when the router runs the whole set and would run it after a restart; rejects
   *   with `RouterRefusedError` when it runs the previous set, in its files and in its running configuration, and with
   *   `RouterBusyError` when it was not begun.
   *   After any other rejection the state is unknown; the same or another set follows later.
   * - A peering that was not requested, and whose tunnel cannot be set up, is left out: it is observed as such and does not
   *   fail the set. `findDrift` says when the tunnel can be tried again. What concerns all tunnels fails the set.
   * - While the operator changes the router's configuration, it goes on with what does not need that configuration:
   *   changed tunnels, and removed peerings, whose tunnels end at once. `findDrift` says when the rest can be done.
   * - Idempotent: setting the same set again is allowed, resolves, and reports no step.
   * - Reports each step and each part at most once, as soon as it is completed. A part may be left out.
   * - The first set after the driver was opened may find leftovers of a previous process, including a
   *   half-applied set, and replaces them.
   * - The driver determines the differences itself and changes nothing else: a tunnel whose values are
   *   unchanged keeps its handshake, and an unchanged session is not reset. Comparisons in memory may grow
   *   with the number of peerings; commands and files may not.
   * - It cannot be aborted. It resolves after the router's own health check and does not wait for a
   *   participant: no handshake and no session has to be up. Later work (a handshake that needs a restart)
   *   runs in the background and ends when the driver is disposed.
   */
  readonly set: (desired: readonly RoutedPeering[], report: SetReport) => Promise<void>;

  /**
   * Finds the parts of the last confirmed set that no longer run, without names of participants: a
   * tunnel that ended or was changed by hand, a changed packet filter, a BIRD with another configuration. Empty while all of it runs,
   * before the first set, and while a driver restarts a handshake. A value that another program sets again and again is
   * left out, except once a minute. Uses a fixed number of commands and is never called while a `set` runs. Rejects without
   * an effect if something cannot be read. Setting the same set again repairs what was reported, and nothing else.
   */
  readonly findDrift: () => Promise<readonly DriftFinding[]>;

  /**
   * Lets participants send from what they announced since the last set, and repairs nothing. `findDrift` and `set` do so
   * too. Never called while a `set` runs; absent from a router without a packet filter.
   */
  readonly updateSources?: () => Promise<void>;

  /** The node's own addresses in the network, and the services on them that participants may use. */
  readonly exposure: () => Promise<NodeExposure>;
  /**
   * Protects these other nodes and the agent's port from now on, and with every later set. Changes nothing before the first
   * set, and is never called while a `set` runs. If the router refuses it, `findDrift` says so, and the next set does it.
   */
  readonly setOtherNodes: (nodes: OtherNodesState) => Promise<void>;

  /** Observes every peering of the last set with a fixed number of commands. */
  readonly observe: () => Promise<readonly PeeringObservation[]>;
  /** Load averages over 1, 5 and 15 minutes, and what is wrong with the node. */
  readonly health: () => Promise<RouterHealth>;
  readonly usage: () => Promise<NodeUsage>;
  /** The ports and addresses that something else on the machine uses. */
  readonly inUse: () => Promise<ValuesInUse>;
  /** The provider's own tunnels from this node. */
  readonly links: () => Promise<readonly NodeLink[]>;
  /**
   * The round trip in milliseconds to an address outside of the tunnels, with at most two probes; null without a reply. No
   * probe starts while a `set` runs.
   */
  readonly roundTrip: (address: string) => Promise<number | null>;

  /** The output of `wg show <interface>` and of `birdc show protocols all` for the peering's sessions. */
  readonly details: (asn: string) => Promise<{ readonly wireguard: string; readonly bgp: string }>;
  readonly sessions: (asn: string) => Promise<readonly SessionDetail[]>;
  /**
   * Restarts the peering's sessions, except those that the operator disabled; `ok` is false if BIRD refused or all are
   * disabled, and `output` contains the reason.
   */
  readonly restartBgp: (asn: string) => Promise<{ readonly ok: boolean; readonly output: string }>;
  /** The routes that the participant announces; routes rejected by the import filters are listed last. */
  readonly receivedRoutes: (asn: string) => Promise<string>;
  /** The routes rejected by the import filters, as facts; its cost does not grow with their number. */
  readonly refusedRoutes: (asn: string) => Promise<RefusedRouteFacts>;
  readonly advertisedRoutes: (asn: string) => Promise<string>;
  /** Pings one of the participant's tunnel addresses through the tunnel; stops early when aborted. */
  readonly ping: (asn: string, address: string, signal: AbortSignal) => Promise<PingResult>;
}
