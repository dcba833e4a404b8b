/** The order of routes in the lists: IPv4 before IPv6, by address as a number, shorter prefixes first. */
import type { RefusedRoute } from "#contract/diagnostics.ts";

/** Returns the routes by prefix. Routes of the same prefix stay in their order. */
export function sortByPrefix<T extends { readonly prefix: string }>(routes: readonly T[]): readonly T[] {
  // A key for each route, and not for each comparison: a list has thousands.
  return routes
    .map((route) => ({ route, key: sortKeyOf(route.prefix) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ route }) => route);
}

/**
 * Returns a text that sorts as the prefix does; anything else sorts last. The parser of the domain would make the
 * dashboard load more, because the two would share a file.
 */
function sortKeyOf(prefix: string): string {
  const [, address = "", length = ""] = /^([\da-f.:]+)\/(\d+)$/i.exec(prefix) ?? [];
  if (length === "") return `9999 ${prefix}`;
  const parts = address.includes(":") ? expandGroups(address.toLowerCase()) : address.split(".");
  return [address.includes(":") ? "6" : "4", ...parts, length].map((part) => part.padStart(4, "0")).join(" ");
}

/** "fd42::1" as its eight groups. */
function expandGroups(address: string): readonly string[] {
  const [head = [], tail] = address.split("::").map((half) => half.split(":").filter(Boolean));
  if (!tail) return head;
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => "0"), ...tail];
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
  return path.match(/\{[^{}]*\}|\S+/g)?.length ?? 0;
}
