import type { Provider } from "#contract/entities.ts";
import type { Connection } from "#contract/lenient.ts";
import { countOf } from "#domain/text/plural.ts";

/** A node of the provider, or one that only a connection names. */
export type MapNode = Provider["nodes"][number] | { readonly name: string; readonly place: "" };

/** One line on the map, unless the position of an end is not known. */
export interface Link {
  readonly from: MapNode;
  readonly to: MapNode;
  /** "up", or any other status of the server: "down", "blocked" (the tunnel works, but packets do not pass), "unknown". */
  readonly status: string;
}

export function isUp({ status }: Pick<Link, "status">): boolean {
  return status === "up";
}

function isUnknown(link: Pick<Link, "status">): boolean {
  return statusText(link) === "Unknown";
}

function isBlocked({ status }: Pick<Link, "status">): boolean {
  return status === "blocked";
}

/** Returns the status with a capital letter; "Unknown" if the server sent none. */
export function statusText({ status }: Pick<Link, "status">): string {
  return status === "" ? "Unknown" : `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
}

/**
 * Returns one link per connected pair of nodes. If both ends report the connection, the link is up only if both
 * report "up". A connection may name nodes that the provider does not list.
 */
export function linksBetween(nodes: readonly MapNode[], connections: readonly Connection[]): readonly Link[] {
  const byName = new Map<string, MapNode>(nodes.map((node) => [node.name, node]));
  const links = new Map<string, Link>();
  for (const { from, to, status } of connections) {
    if (from === to) continue;
    for (const name of [from, to]) if (!byName.has(name)) byName.set(name, { name, place: "" });
    const [first, second] = [from, to].toSorted().map((name) => byName.get(name));
    if (!first || !second) continue;
    const key = linkKey({ from: first, to: second });
    const known = links.get(key);
    if (!known || isUp(known) || isUnknown(known)) links.set(key, { from: first, to: second, status });
  }
  return [...links.values()];
}

export function linkKey({ from, to }: Pick<Link, "from" | "to">): string {
  return `${from.name} ${to.name}`;
}

/** Returns the nodes that a node is linked to. */
export function neighboursOf(
  node: MapNode,
  links: readonly Link[],
): ReadonlyArray<{ readonly neighbour: MapNode; readonly link: Link }> {
  return links.flatMap((link) => {
    if (link.from === node) return [{ neighbour: link.to, link }];
    return link.to === node ? [{ neighbour: link.from, link }] : [];
  });
}

/** The provider's nodes, followed by those that only connections name. */
export function allNodes(nodes: readonly MapNode[], links: readonly Link[]): readonly MapNode[] {
  return [...new Set<MapNode>([...nodes, ...links.flatMap(({ from, to }) => [from, to])])];
}

/** Summarizes the links of one node: "2 links up, 1 down, 1 blocked, 1 unknown". */
export function linkSummary(node: MapNode, links: readonly Link[]): string {
  const all = neighboursOf(node, links);
  if (all.length === 0) return "No links";
  const up = all.filter(({ link }) => isUp(link)).length;
  const blocked = all.filter(({ link }) => isBlocked(link)).length;
  const unknown = all.filter(({ link }) => isUnknown(link)).length;
  const counts = [
    [up, "up"],
    [all.length - up - blocked - unknown, "down"],
    [blocked, "blocked"],
    [unknown, "unknown"],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word], index) => `${index === 0 ? countOf(count, "link") : count} ${word}`)
    .join(", ");
}

/** Summarizes all links: "5 of 7 links are up". */
export function describeLinks(links: readonly Link[]): string {
  const all = links.length;
  const up = links.filter(isUp).length;
  const [only] = links;
  if (only && all === 1) {
    if (up === 1) return "The link is up";
    if (isUnknown(only)) return "The state of the link is unknown";
    return isBlocked(only) ? "The link is blocked" : "The link is down";
  }
  return up === all ? `All ${all} links are up` : `${up} of ${all} links are up`;
}
