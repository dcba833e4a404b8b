/**
 * The seam between the agent and what routes on a node.
 *
 * Above it stand the pipeline, the HTTP service and all judgement (what is Up, what is an issue, what mends
 * it); below it a driver that acts and tells facts. A driver is never asked two things about the same
 * moment: reads are shared above the seam, and `set` is never called while another `set` runs.
 */
import type { LimitHit, NodeHealth, NodeUsage, Peering, RefusedRouteFacts } from "../../contract/agent.ts";
import type { Connection, PingResult } from "../../contract/entities.ts";
import type { Family } from "../../domain/bgp-sessions.ts";

/** A peering whose endpoint is a literal address, so that no driver ever waits for a name server. */
export interface RoutedPeering {
  readonly peering: Peering;
  /** Canonical IPv4 or IPv6 text, checked after it was resolved. */
  readonly endpointAddress: string;
}

export interface RouterFacts {
  /** The node's WireGuard public key; the private one never crosses this seam. */
  readonly publicKey: string;
  readonly simulation: boolean;
}

/**
 * Tells a step that was done, as a sentence. With an AS number it concerns that peering alone and is shown
 * to nobody else; without one it concerns the whole router and names no participant.
 */
export type Report = (sentence: string, asn?: string) => void;

/** The router did not take a set, and runs the one before. `reason` is a sentence a participant can read. */
export class RouterRefused extends Error {
  override readonly name = "RouterRefused";
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

/** The router cannot be talked to; what it runs is unknown. */
export class RouterUnavailable extends Error {
  override readonly name = "RouterUnavailable";
}

export interface PeeringObservation {
  readonly asn: string;
  readonly rxBytes: number;
  readonly txBytes: number;
  /** Null before the first handshake. */
  readonly handshakeAgeSeconds: number | null;
  /** Round trip over the tunnel; null when the last probe got no answer. */
  readonly latencyMs: number | null;
  /** The sessions of `sessionsOf` that the router knows. */
  readonly sessions: readonly SessionObservation[];
}

export interface SessionObservation {
  /** The BIRD protocol's name. */
  readonly name: string;
  /** As BIRD prints it: Established, Active, OpenSent … */
  readonly state: string;
  /** BIRD's words on why it is not Established; empty otherwise. */
  readonly detail: string;
}

/** A session with what its neighbour announced when it last came up. */
export interface SessionDetail extends SessionObservation {
  /** Null while the neighbour has not been heard. */
  readonly neighbour: {
    readonly families: readonly Family[];
    /** Whether it takes IPv4 routes with IPv6 next hops. */
    readonly extendedNextHop: boolean;
  } | null;
  /** One entry for each channel of the session. */
  readonly routes: ReadonlyArray<{
    readonly family: Family;
    readonly received: number;
    /** Kept, but refused by our filters. */
    readonly filtered: number;
    /** Dropped as invalid or beyond the receive limit. */
    readonly rejected: number;
    /** Limits that were hit. They block the channel until the session is restarted. */
    readonly limits: readonly LimitHit[];
  }>;
}

/**
 * What a driver does. Every call but `facts` rejects with `RouterUnavailable` when the router cannot be talked
 * to. Calls about one AS are made only for peerings of the last set that was confirmed. Disposing waits for a
 * set under way and leaves the router running what it runs.
 *
 * Texts are what `wg`, `birdc` and `ping` print, at most 1 MiB each; a driver that cuts one says so in its
 * last line.
 */
export interface Router extends AsyncDisposable {
  /** Known from the node's own files: it does not take a router that runs. Asked once, at the start. */
  readonly facts: () => Promise<RouterFacts>;

  /**
   * Makes the router run exactly these peerings, sorted by AS number, and nothing that it was given before.
   *
   * - All or nothing: resolves when the router runs all of it and would run all of it after a restart;
   *   rejects with `RouterRefused` when it runs what ran before, files and running configuration alike.
   *   Any other rejection means that nobody knows; the same or another set follows later.
   * - Idempotent: the same set again is legal, resolves, and reports nothing.
   * - The first set after the driver was opened may meet whatever an earlier life left behind, a
   *   half-applied set included, and replaces it.
   * - The driver finds out by itself what differs, and touches only that: a tunnel whose values stay keeps
   *   its handshake, a session that stays is not reset. Comparing in memory may grow with the number of
   *   peerings; commands and files may not.
   * - It cannot be aborted. It resolves after the router's own check of its health, and does not wait for a
   *   participant: no handshake and no session need be up. What needs time afterwards (a handshake that
   *   wants a kick) the driver does on its own, and ends it when it is disposed.
   */
  readonly set: (desired: readonly RoutedPeering[], report: Report) => Promise<void>;

  /**
   * What of the last confirmed set does not run any more, sentences that name no participant: a tunnel that died
   * or was changed by somebody, a BIRD with another configuration. Empty while all of it runs, before the
   * first set, and for the moment in which a driver works on a tunnel on its own. Found with a fixed number of commands
   * and never called while a `set` runs; the same set again mends what was told, and nothing else.
   */
  readonly differences: () => Promise<readonly string[]>;

  /** Every peering of the last set, gathered with a fixed number of commands. */
  readonly observe: () => Promise<readonly PeeringObservation[]>;
  /** Load averages over 1, 5 and 15 minutes, and what is wrong with the node, a sentence each. */
  readonly health: () => Promise<Omit<NodeHealth, "status">>;
  readonly usage: () => Promise<NodeUsage>;
  /** The provider's own tunnels from this node. */
  readonly links: () => Promise<readonly Connection[]>;

  /** `wg show <interface>` and `birdc show protocols all` of the peering's sessions. */
  readonly details: (asn: string) => Promise<{ readonly wireguard: string; readonly bgp: string }>;
  readonly sessions: (asn: string) => Promise<readonly SessionDetail[]>;
  /** Restarts the peering's sessions; `ok` is false where BIRD refused, and `output` says why. */
  readonly restartBgp: (asn: string) => Promise<{ readonly ok: boolean; readonly output: string }>;
  /** Routes that the participant announces, those that our filters refused after the others. */
  readonly receivedRoutes: (asn: string) => Promise<string>;
  /** What our filters refused, as facts; cheap however many there are. */
  readonly refusedRoutes: (asn: string) => Promise<RefusedRouteFacts>;
  readonly advertisedRoutes: (asn: string) => Promise<string>;
  /** Pings one of the peering's own tunnel addresses through its tunnel; ends early when aborted. */
  readonly ping: (asn: string, address: string, signal: AbortSignal) => Promise<PingResult>;
}
