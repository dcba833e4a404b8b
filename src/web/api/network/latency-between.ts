import type { NetworkSummary } from "#contract/history.ts";

/** The round trip between two nodes in milliseconds; undefined if it is not published. */
export function latencyBetween(
  from: string,
  to: string,
  summary: NetworkSummary | null | undefined,
): number | undefined {
  return summary?.links.find(
    (link) => (link.from === from && link.to === to) || (link.from === to && link.to === from),
  )?.latency;
}
