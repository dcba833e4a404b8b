/**
 * The byte counters of tunnels, as WireGuard on the nodes reports them. They are lines of text in the rows of half hours: with
 * a row for each reading, a minute of 20,000 peerings inserted and deleted 40,000 rows.
 */
import type { Db } from "#server/db/open.ts";

export interface Counters {
  /** When they were read, in milliseconds since 1970. */
  readonly at: number;
  readonly received: number;
  readonly sent: number;
}

/** Returns the line that is stored: `at received sent`. */
export function formatCounters({ at, received, sent }: Counters): string {
  return `${at} ${received} ${sent}\n`;
}

/** Returns the lines without those at the beginning that are older. */
export function withoutExpiredCounters(lines: string, oldest: number): string {
  let start = 0;
  while (start < lines.length && parseInt(lines.slice(start), 10) < oldest)
    start = lines.indexOf("\n", start) + 1;
  return lines.slice(start);
}

/** The counters of every peering of the AS since this time, the oldest first, by node. */
export async function findTraffic(
  db: Db,
  asn: string,
  from: number,
): Promise<ReadonlyMap<string, readonly Counters[]>> {
  const rows = await db
    .selectFrom("current_half_hours as current")
    .leftJoin("past_half_hours as past", (join) =>
      join.onRef("past.asn", "=", "current.asn").onRef("past.node", "=", "current.node"),
    )
    .select(["current.node", "past.traffic as past", "current.finished", "current.traffic"])
    .where("current.asn", "=", asn)
    .orderBy("current.node")
    .execute();
  return new Map(
    rows.map(({ node, past, finished, traffic }) => {
      const lines = withoutExpiredCounters(
        (past ?? "") + splitFinished(finished ?? "").traffic + traffic,
        from,
      );
      // The clock may have been set back.
      return [node, parseCounters(lines).toSorted((a, b) => a.at - b.at)];
    }),
  );
}

/** Divides what was put aside at the end of a half hour: a line of the half hour's values, then the lines of its counters. */
export function splitFinished(text: string): { readonly values: string; readonly traffic: string } {
  const end = text.indexOf("\n");
  // One that an earlier version put aside has no counters.
  return end === -1
    ? { values: text, traffic: "" }
    : { values: text.slice(0, end), traffic: text.slice(end + 1) };
}

function parseCounters(lines: string): Counters[] {
  return lines
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [at = 0, received = 0, sent = 0] = line.split(" ").map(Number);
      return { at, received, sent };
    });
}
