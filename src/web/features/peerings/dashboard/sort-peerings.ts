import type { PeeringHistories } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { decodeShares } from "#domain/plot.ts";
import { exchangedRoutes } from "../describe-routes.ts";
import { stateOf } from "./filter-peerings.ts";

/** The orders of the list, as the URL has them. "state" is worst first; "-" reverses an order. */
export const peeringSorts = [
  "state",
  "-state",
  "node",
  "-node",
  "uptime",
  "-uptime",
  "latency",
  "-latency",
  "routes",
  "-routes",
] as const;
export type PeeringSort = (typeof peeringSorts)[number];

/** The columns by which the list can be sorted. */
export type SortColumn = "node" | "state" | "uptime" | "latency" | "routes";

/** Worst first. */
export const defaultSort: PeeringSort = "state";

/** How a click on the head of a column sorts first: what is worst, or largest, comes first. */
const firstSorts: Readonly<Record<SortColumn, PeeringSort>> = {
  node: "node",
  state: "state",
  uptime: "uptime",
  latency: "-latency",
  routes: "-routes",
};

/** Undefined for a text that is no order. */
export function parseSort(text: string | undefined): PeeringSort | undefined {
  return peeringSorts.find((sort) => sort === text);
}

export function columnOf(sort: PeeringSort): SortColumn {
  return sort.replace("-", "") as SortColumn;
}

/** The order after a click on the head of a column: its first one, then the opposite. */
export function nextSort(column: SortColumn, sort: PeeringSort): PeeringSort {
  if (columnOf(sort) !== column) return firstSorts[column];
  return sort === column ? `-${column}` : column;
}

/** Whom the participant can help comes first; a deployment ends by itself, and of what is unknown nothing can be said. */
const stateRanks = { Down: 0, Issues: 1, deploying: 2, Unknown: 3, OK: 4 } as const;

function rankOf(status: PeerStatus): number {
  return stateRanks[status.deployment === null ? stateOf(status) : "deploying"];
}

export function compareWorstFirst(one: PeerStatus, other: PeerStatus): number {
  return rankOf(one) - rankOf(other);
}

/** Returns the nodes in the order of their peerings. Equal ones stay in the server's order; what has no value comes last. */
export function sortNodes(
  peerings: readonly PeerStatus[],
  history: PeeringHistories | null,
  sort: PeeringSort,
): readonly string[] {
  const sign = sort.startsWith("-") ? -1 : 1;
  const uptimes = new Map(history?.peerings.map(({ node, up }) => [node, meanOf(decodeShares(up))]));
  const valueOf: Readonly<Record<SortColumn, (status: PeerStatus) => number | string | null>> = {
    node: ({ node }) => node,
    state: rankOf,
    uptime: ({ node }) => uptimes.get(node) ?? null,
    latency: ({ latency }) => toNumber(latency),
    routes: (status) => exchangedRoutes(status)?.accepted ?? null,
  };
  const values = peerings.map((status) => ({ node: status.node, value: valueOf[columnOf(sort)](status) }));
  return values
    .toSorted((one, other) => {
      if (one.value === null || other.value === null)
        return Number(one.value === null) - Number(other.value === null);
      return sign * compare(one.value, other.value);
    })
    .map(({ node }) => node);
}

/** Created with the first comparison: the first object of `Intl` takes 40 to 90 ms, and a slow phone four times as long. */
let collator: Intl.Collator | undefined;

function compare(one: number | string, other: number | string): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(String(one), String(other));
}

/** Without the half hours that nothing observed; null if there is none. */
function meanOf(shares: ReadonlyArray<number | null>): number | null {
  const known = shares.filter((share) => share !== null);
  return known.length === 0 ? null : known.reduce((sum, share) => sum + share, 0) / known.length;
}

/** "12.4 ms" as 12.4; null where there is no number. */
function toNumber(latency: string): number | null {
  const value = Number.parseFloat(latency);
  return Number.isNaN(value) ? null : value;
}
