import type { Connection, Provider } from "../../../contract/entities.ts";

export type MapNode = Provider["nodes"][number];

/** One line of the map. */
export interface Link {
  readonly from: MapNode;
  readonly to: MapNode;
  /** 'up', or what the server said instead. */
  readonly status: string;
}

export function isUp({ status }: Pick<Link, "status">): boolean {
  return status === "up";
}

/** The status as a word for people. */
export function statusWord({ status }: Pick<Link, "status">): string {
  return status === "" ? "Unknown" : `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
}

/**
 * One link for every pair of nodes that has a connection. A pair that is told twice, once from each end, is up
 * when both say so. Nodes that the provider does not list have no place on the map.
 */
export function linksBetween(nodes: readonly MapNode[], connections: readonly Connection[]): readonly Link[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const links = new Map<string, Link>();
  for (const { from, to, status } of connections) {
    const ends = [from, to].toSorted().map((name) => byName.get(name));
    const [first, second] = ends;
    if (!first || !second || first === second) continue;
    const key = linkKey({ from: first, to: second });
    const known = links.get(key);
    if (!known || isUp(known)) links.set(key, { from: first, to: second, status });
  }
  return [...links.values()];
}

export function linkKey({ from, to }: Pick<Link, "from" | "to">): string {
  return `${from.name} ${to.name}`;
}

/** What one node is linked to. */
export function neighboursOf(
  node: MapNode,
  links: readonly Link[],
): ReadonlyArray<{ readonly neighbour: MapNode; readonly link: Link }> {
  return links.flatMap((link) => {
    if (link.from === node) return [{ neighbour: link.to, link }];
    return link.to === node ? [{ neighbour: link.from, link }] : [];
  });
}

/** The links of one node in a few words: "2 links up, 1 not up". */
export function linkSummary(node: MapNode, links: readonly Link[]): string {
  const all = neighboursOf(node, links);
  if (all.length === 0) return "No links";
  const up = all.filter(({ link }) => isUp(link)).length;
  const down = all.length - up;
  if (down === 0) return `${counted(up)} up`;
  return up === 0 ? `${counted(down)} not up` : `${counted(up)} up, ${down} not up`;
}

/** All links in a sentence: "5 of 7 links are up" */
export function describeLinks(links: readonly Link[]): string {
  const all = links.length;
  const up = links.filter(isUp).length;
  if (all === 1) return up === 1 ? "The link is up" : "The link is not up";
  return up === all ? `All ${all} links are up` : `${up} of ${all} links are up`;
}

function counted(count: number): string {
  return `${count} ${count === 1 ? "link" : "links"}`;
}
