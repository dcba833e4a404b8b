/** The tables of what the server observes of nodes and peerings, as Kysely sees them. */
import type { ColumnType } from "kysely";

type FixedAtInsert<T> = ColumnType<T, T, never>;

export interface NodeSamplesTable {
  node: FixedAtInsert<string>;
  at: FixedAtInsert<number>;
  state: FixedAtInsert<"OK" | "Issues" | "Down">;
  /** Null if the node did not respond, as in the next columns. */
  cpu_percent: FixedAtInsert<number | null>;
  memory_percent: FixedAtInsert<number | null>;
  routes_ipv4: FixedAtInsert<number | null>;
  routes_ipv6: FixedAtInsert<number | null>;
}

/** A quarter hour's observations of a node: counts by state, its CPU usage, and the last state. */
export interface NodeQuartersTable {
  node: FixedAtInsert<string>;
  /** Start of the quarter hour. */
  quarter: FixedAtInsert<number>;
  ok: number;
  issues: number;
  down: number;
  /** The sum of the CPU usages in percent, and the number of observations with one. */
  cpu_sum: number;
  cpu_count: number;
  last_at: number;
  last_state: "OK" | "Issues" | "Down";
}

/** Counts of a day's observations by state. */
export interface NodeDaysTable {
  node: FixedAtInsert<string>;
  /** Start of the day in UTC. */
  day: FixedAtInsert<number>;
  ok: number;
  issues: number;
  down: number;
}

/** What the summary of the network says of a node, as of its last observation. */
export interface NodeSummariesTable {
  node: FixedAtInsert<string>;
  /** `NodeHalfHour[]` as JSON, of the last 24 hours (`src/server/features/observations/node-summaries.ts`). */
  half_hours: string;
  /** The share of the observations of 90 days in which it was up. */
  uptime: number;
  /** The number of recorded peerings, those that are being deleted included. */
  peerings: number;
  last_at: number;
  last_state: "OK" | "Issues" | "Down";
  /** When this state was first observed; null in a row of an earlier version until it changes. */
  state_since: number | null;
}

/** The present half hour of each peering, which observations are added to. */
export interface CurrentHalfHoursTable {
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  /** The last observation. The half hour is the one that contains it. */
  at: number;
  /** Counts of observations. */
  up: number;
  down: number;
  /** All measured round trips in milliseconds, each followed by a space. */
  latencies: string;
  /** Routes at the last observation; null if the router did not say. */
  accepted: number | null;
  refused: number | null;
  /** Bytes in both directions; null if the tunnel's counters were read only once. */
  bytes: number | null;
  /** The tunnel's byte counters at the last observation. */
  received: number;
  sent: number;
  /** Its byte counters at each observation (`src/server/features/peerings/observed/traffic.ts`). */
  traffic: string;
  /** The half hour before, until it is moved to the past ones (`src/server/features/observations/record-half-hours.ts`). */
  finished: string | null;
}

/** Since when the sessions of a peering are up or not. It is deleted with the peering. */
export interface SessionStatesTable {
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  /** `SessionState[]` as JSON (`src/server/agents/session-states.ts`). */
  sessions: string;
}

/** The past half hours of each peering: one row, so that a call reads no more rows than the AS has peerings. */
export interface PastHalfHoursTable {
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  /** Start of the newest half hour. */
  newest: number;
  /** `HalfHour[]` as JSON, oldest first (`src/server/features/peerings/observed/half-hours.ts`). */
  half_hours: string;
  /** The tunnel's byte counters of three hours, without those of the present half hour. */
  traffic: string;
}
