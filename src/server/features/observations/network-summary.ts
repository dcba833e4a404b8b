import { halfHourMs, type NetworkSummary, type NodeSummary, shownHalfHours } from "#contract/history.ts";
import { encodePlot, encodeShares, type Series } from "#domain/plot.ts";
import type { LinkReader } from "../../agents/node-links.ts";
import type { Profile } from "../../config/profile.ts";
import type { Nodes } from "../../nodes/nodes.ts";
import type { Db } from "../../db/open.ts";
import { readNewPeers } from "../peerings/node-capacity.ts";
import { currentMs } from "./history.ts";
import { type NodeHalfHour, readNodeSummaries } from "./node-summaries.ts";
import { firstHalfHour } from "./retention.ts";

export interface SummaryDeps {
  readonly db: Db;
  readonly clock: () => number;
  readonly profile: Pick<Profile, "publish">;
  readonly nodes: Pick<Nodes, "list">;
  readonly links: Pick<LinkReader, "readSoon">;
}

/** Returns what everyone may know of the nodes and their links, in their order. */
export async function readNetworkSummary({
  db,
  clock,
  profile,
  nodes,
  links,
}: SummaryDeps): Promise<NetworkSummary> {
  const { publish } = profile;
  const now = clock();
  const from = firstHalfHour(now);
  const [rows, measuredLinks] = await Promise.all([
    readNodeSummaries(db, now),
    publish.linkLatency ? links.readSoon() : [],
  ]);
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  return {
    from,
    nodes: nodes.list().map((node) => {
      const { name, maxPeerings } = node;
      const row = rowOf.get(name);
      const current = row && now - row.last_at <= currentMs ? row : null;
      const { up, cpu } = plotHalfHours(
        row ? (JSON.parse(row.half_hours) as readonly NodeHalfHour[]) : [],
        from,
      );
      return {
        node: name,
        now: current?.last_state ?? null,
        since: current?.state_since ?? undefined,
        up,
        uptime: row?.uptime ?? null,
        cpu,
        peerings: publish.peerings ? (row?.peerings ?? null) : null,
        capacity: maxPeerings,
        // Also if the number of peerings is not published: a participant must not choose a node that will refuse.
        newPeers:
          node.state === "open" && maxPeerings === null ? undefined : readNewPeers(node, row?.peerings ?? 0),
      };
    }),
    links: measuredLinks.flatMap(({ from: one, to, latencyMs }) =>
      latencyMs === null ? [] : [{ from: one, to, latency: roundToTenths(latencyMs) }],
    ),
  };
}

function plotHalfHours(halfHours: readonly NodeHalfHour[], from: number): Pick<NodeSummary, "up" | "cpu"> {
  const byStart = new Map(halfHours.map((halfHour) => [halfHour[0], halfHour]));
  const series = (valueOf: (own: NodeHalfHour) => number | null): Series =>
    Array.from({ length: shownHalfHours }, (_, index) => {
      const own = byStart.get(from + index * halfHourMs);
      return own ? valueOf(own) : null;
    });
  return {
    // Of a node that did not respond, nothing is known.
    up: encodeShares(series(([, up, down]) => (up === 0 ? null : up / (up + down)))),
    cpu: encodePlot(series(([, , , total, count]) => (count === 0 ? null : roundToTenths(total / count)))),
  };
}

function roundToTenths(value: number): number {
  return Math.round(value * 10) / 10;
}
