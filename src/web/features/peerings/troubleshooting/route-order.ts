/** The order of routes in the lists: IPv4 before IPv6, by address as a number, shorter prefixes first. */
import type { RefusedRoute } from "../../../../contract/diagnostics.ts";
import { type Address, parseAddress } from "../../../../domain/prefix.ts";

interface SortKey {
  /** Null for what is no address: it is at the end. */
  readonly address: Address | null;
  readonly length: number;
}

/** Returns the routes by prefix. Routes of the same prefix stay in their order. */
export function sortByPrefix<T extends { readonly prefix: string }>(routes: readonly T[]): readonly T[] {
  // Parsed once for each route: a list has thousands.
  return routes
    .map((route) => ({ route, key: sortKeyOf(route.prefix) }))
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map(({ route }) => route);
}

function sortKeyOf(prefix: string): SortKey {
  const [address = "", length = ""] = prefix.split("/");
  return { address: parseAddress(address), length: Number(length) };
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (!a.address || !b.address) return Number(!a.address) - Number(!b.address);
  if (a.address.bits !== b.address.bits) return a.address.bits - b.address.bits;
  if (a.address.value !== b.address.value) return a.address.value < b.address.value ? -1 : 1;
  return a.length - b.length;
}

export const refusedColumns = ["prefix", "reason", "path"] as const;
export type RefusedColumn = (typeof refusedColumns)[number];

export interface RefusedOrder {
  readonly column: RefusedColumn;
  readonly isDescending: boolean;
}

export const initialOrder: RefusedOrder = { column: "prefix", isDescending: false };

/** The order after a press of a column's head: another column, or the other direction. */
export function nextOrder({ column, isDescending }: RefusedOrder, pressed: RefusedColumn): RefusedOrder {
  return { column: pressed, isDescending: pressed === column && !isDescending };
}

/** Routes that are equal in the column are ordered by prefix. AS paths are ordered by length. */
export function sortRefused(
  routes: readonly RefusedRoute[],
  { column, isDescending }: RefusedOrder,
): readonly RefusedRoute[] {
  const byPrefix = sortByPrefix(routes);
  if (column === "prefix") return isDescending ? byPrefix.toReversed() : byPrefix;
  const direction = isDescending ? -1 : 1;
  return byPrefix.toSorted((a, b) => {
    const order =
      column === "reason" ? a.reason.localeCompare(b.reason) : pathLength(a.as_path) - pathLength(b.as_path);
    return direction * order;
  });
}

/** The number of hops. A set ("{1 2}") is one. */
function pathLength(path: string): number {
  return path.match(/\{[^}]*\}|\S+/g)?.length ?? 0;
}
