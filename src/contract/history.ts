/**
 * What was observed of nodes and peerings. Beyond the specification.
 *
 * A plot is text of one character for each half hour, the oldest first, because the history of 64 peerings must fit into
 * 20 kB. `src/domain/plot.ts` reads and writes it.
 */
import * as v from "valibot";

/** The time buckets of a node's history: their length and their number. The days are those in UTC, and the last one is today. */
export const quarterMs = 15 * 60_000;
export const shownQuarters = 96;
export const dayMs = 24 * 60 * 60_000;
export const shownDays = 90;

/** Counts of a node's observations by their result, a number for each time bucket; empty if all of them are zero. */
const bucketCounts = v.object({
  ok: v.array(v.number()),
  issues: v.array(v.number()),
  down: v.array(v.number()),
});
export type BucketCounts = v.InferOutput<typeof bucketCounts>;

export const nodeHistory = v.object({
  node: v.string(),
  /**
   * The result of the last observation; null if it is older than five minutes. Down: the node did not reply, so its
   * state is unknown.
   */
  now: v.nullable(v.picklist(["OK", "Issues", "Down"])),
  /** When its present state was first observed, in milliseconds since 1970; missing if `now` is null, or if it is not known. */
  since: v.optional(v.number()),
  /** What everyone may know of its issues, in a sentence; missing if there is nothing to say. */
  problem: v.optional(v.string()),
  /** The last 24 hours, a quarter of an hour each, oldest first. */
  quarters: bucketCounts,
  /** The last 90 days in UTC, oldest first. The last one is today. */
  days: bucketCounts,
});
export type NodeHistory = v.InferOutput<typeof nodeHistory>;

export const nodeHistories = v.object({
  /** Starts of the oldest quarter hour and the oldest day, in milliseconds since 1970. */
  quartersFrom: v.number(),
  daysFrom: v.number(),
  nodes: v.array(nodeHistory),
});
export type NodeHistories = v.InferOutput<typeof nodeHistories>;

export const halfHourMs = 30 * 60_000;
export const shownHalfHours = 48;

/** The levels of a plot from its lowest value to its highest one. A half hour without a measurement is `noLevel`. */
export const plotLevels = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
export const noLevel = ".";

/** The share of the observations in which a peering or a node was up: the lowest level is none, the highest is all. */
const upShares = v.string();

/**
 * The lowest value, the highest value, and the levels between them. The levels are empty if the value was the same in
 * every half hour.
 */
export const plot = v.tuple([v.number(), v.number(), v.string()]);
export type Plot = v.InferOutput<typeof plot>;

/** Null if it was never measured. */
const optionalPlot = v.nullable(plot);

export const peeringHistory = v.object({
  node: v.string(),
  up: upShares,
  /** Median round trip through the tunnel, in milliseconds. */
  latency: optionalPlot,
  /** Routes of the participant at the end of the half hour, of all sessions and address families. */
  accepted: optionalPlot,
  refused: optionalPlot,
  /** Bytes in both directions through the tunnel. */
  traffic: optionalPlot,
});
export type PeeringHistory = v.InferOutput<typeof peeringHistory>;

/** Start of the oldest half hour, in milliseconds since 1970. The newest one is not over yet. */
const from = v.number();

export const peeringHistories = v.object({ from, peerings: v.array(peeringHistory) });
export type PeeringHistories = v.InferOutput<typeof peeringHistories>;

/** The most changes of sessions that a response has. */
export const maxSessionChanges = 200;

/** When sessions became Established and ended, in the last seven days, the newest first. */
export const sessionChanges = v.object({
  changes: v.array(
    v.object({
      node: v.string(),
      families: v.array(v.string()),
      /** Milliseconds since 1970 by the server's clock. */
      at: v.number(),
      /** Whether it became Established. */
      up: v.boolean(),
    }),
  ),
});
export type SessionChange = v.InferOutput<typeof sessionChanges>["changes"][number];

export const nodeSummary = v.object({
  node: v.string(),
  now: nodeHistory.entries.now,
  since: nodeHistory.entries.since,
  problem: v.optional(v.string()),
  up: upShares,
  /** The share of the observations of the last 90 days to which the node responded, from 0 to 1; null without any. */
  uptime: v.nullable(v.number()),
  /** CPU usage in percent. */
  cpu: optionalPlot,
  /** The number of its peerings; null unless the profile publishes it. */
  peerings: v.nullable(v.number()),
  /** The most peerings that it accepts; null without a limit. */
  capacity: v.nullable(v.number()),
  /** Whether it accepts new peerings: "open", "full", "closed" or "draining"; missing if it is open without a limit. */
  newPeers: v.optional(v.string()),
});
export type NodeSummary = v.InferOutput<typeof nodeSummary>;

export const networkSummary = v.object({
  from,
  nodes: v.array(nodeSummary),
  /** Round trips of the provider's own links in milliseconds, each pair of nodes once; empty unless the profile publishes them. */
  links: v.array(v.object({ from: v.string(), to: v.string(), latency: v.number() })),
});
export type NetworkSummary = v.InferOutput<typeof networkSummary>;
