import type { Connection } from "../../contract/entities.ts";
import { nodeReadTimeoutMs } from "../../contract/timeouts.ts";
import { createSingleFlight } from "../../domain/concurrency/single-flight.ts";
import type { AgentClient } from "./agent-client.ts";
import { resolveSoon } from "./resolve-soon.ts";

/** A link between two nodes, as both of its ends report it. */
export interface Link extends Connection {
  /** The mean round trip of the ends that measured one; null if the link is not up or neither did. */
  readonly latencyMs: number | null;
}

export interface LinkReader {
  /** Reads the links from all nodes. Calls within some seconds share one read. */
  readonly read: () => Promise<readonly Link[]>;
  /** Reads the links. If nodes do not respond soon, returns the links of the last read; none before the first read. */
  readonly readSoon: () => Promise<readonly Link[]>;
}

/** @param maxAgeMs how long a read serves further calls */
export function createLinkReader(agents: AgentClient, maxAgeMs = 5_000): LinkReader {
  const known = new Map<string, Link>();
  const links = createSingleFlight(() => readLinks(agents, known), {
    maxAgeMs,
    now: () => performance.now(),
  });
  return {
    read: () => links.get(),
    readSoon: () => resolveSoon(links.get(), () => [...known.values()]),
  };
}

/**
 * The links between the provider's nodes, one entry per pair. Each end reports its own view. A link is up when
 * every end that knows reports it as up, blocked when packets do not pass at one end, and unknown while neither end knows.
 *
 * @param known the links of earlier calls by their ends; updated by this one
 */
export async function readLinks(agents: AgentClient, known: Map<string, Link>): Promise<readonly Link[]> {
  const nodes = agents.listNodes();
  const reports = await Promise.all(
    nodes.map((node) =>
      agents.ask(node, "links", undefined, { timeoutMs: nodeReadTimeoutMs }).catch(() => null),
    ),
  );
  // An agent knows the links of its own node only.
  const views = reports.flatMap((report, index) =>
    (report ?? []).filter(({ from, to }) => [from, to].includes(nodes[index] ?? "")),
  );
  const links = new Map<string, Link>();
  for (const [key, ends] of Map.groupBy(views, ({ from, to }) => [from, to].toSorted().join(" "))) {
    const [from = "", to = ""] = key.split(" ");
    const status = combineStatuses(ends.map((end) => end.status));
    const measured = ends.flatMap(({ latencyMs }) => latencyMs ?? []);
    const mean = measured.reduce((sum, each) => sum + each, 0) / measured.length;
    links.set(key, { from, to, status, latencyMs: status === "up" && measured.length > 0 ? mean : null });
  }
  const silent = new Set(nodes.filter((_, index) => reports[index] === null));
  for (const [key, { from, to }] of known) {
    if (silent.has(from) && silent.has(to)) links.set(key, { from, to, status: "unknown", latencyMs: null });
  }
  known.clear();
  for (const [key, link] of links) known.set(key, link);
  return [...links.values()];
}

/** One end is enough for a fault. An end that does not know says nothing. */
function combineStatuses(statuses: readonly string[]): string {
  if (statuses.includes("down")) return "down";
  const known = statuses.filter((status) => status !== "unknown");
  return known.find((status) => status !== "up") ?? known[0] ?? "unknown";
}
