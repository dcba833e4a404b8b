import type { Clock } from "../clock.ts";

export interface ConflictLog {
  /** Notes that a server tried to change or remove a peering that its database does not know as it is. */
  readonly record: (asn: string) => void;
  readonly clear: () => void;
  /** The health issue of the recent attempts, a sentence; null without any. */
  readonly issue: () => string | null;
}

/** A server repeats its attempts every minute, so the issue ends soon after the last one. */
const recentMs = 10 * 60_000;

export function createConflictLog(clock: Pick<Clock, "now">): ConflictLog {
  const attempts = new Map<string, number>();
  return {
    record: (asn) => void attempts.set(asn, clock.now()),
    clear: () => attempts.clear(),
    issue: () => {
      for (const [asn, at] of attempts) if (clock.now() - at > recentMs) attempts.delete(asn);
      if (attempts.size === 0) return null;
      const peerings = attempts.size === 1 ? "1 peering" : `${attempts.size} peerings`;
      return (
        `A server with another or an older database tried to change or remove ${peerings}. The node refused. ` +
        "Stop that server, or recover its database (docs/operations.md)."
      );
    },
  };
}
