import type { Finding } from "../../domain/findings/findings.ts";
import type { Clock } from "../clock.ts";

export interface ConflictLog {
  /** Notes that a server tried to change or remove a peering that its database does not know as it is. */
  readonly record: (asn: string) => void;
  readonly clear: () => void;
  /** The finding of the recent attempts; null without any. */
  readonly finding: () => Finding | null;
}

/** A server repeats its attempts every minute, so the finding ends soon after the last one. */
const recentMs = 10 * 60_000;

export function createConflictLog(clock: Pick<Clock, "now">): ConflictLog {
  const attempts = new Map<string, number>();
  return {
    record: (asn) => void attempts.set(asn, clock.now()),
    clear: () => attempts.clear(),
    finding: () => {
      for (const [asn, at] of attempts) if (clock.now() - at > recentMs) attempts.delete(asn);
      return attempts.size === 0 ? null : { code: "database-refused", facts: { peerings: attempts.size } };
    },
  };
}
