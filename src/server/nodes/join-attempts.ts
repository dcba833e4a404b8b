/** Counts the requests of agents that join, for the metrics of this server. */

const failed = "error";

/** What became of a request, by the status of its response. */
const results: ReadonlyMap<number, string> = new Map([
  [200, "accepted"],
  [403, "wrong-proof"],
  [404, "unknown-line"],
  [409, "void-line"],
  [422, "invalid"],
  [429, "rate-limited"],
  [500, failed],
  [502, "unreachable"],
]);

export interface JoinAttempts {
  /** Counts a response with this status. */
  count(status: number): void;
  /** The number of attempts by result; every result is there. */
  read(): ReadonlyMap<string, number>;
}

export function createJoinAttempts(): JoinAttempts {
  const counts = new Map(Array.from(results.values(), (result) => [result, 0]));
  return {
    count(status) {
      const result = results.get(status) ?? failed;
      counts.set(result, (counts.get(result) ?? 0) + 1);
    },
    read: () => counts,
  };
}
