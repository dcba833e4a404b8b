const firstRetryMs = 20_000;
const maxRetryMs = 10 * 60_000;

/** When tunnels whose commands failed are tried again: after twenty seconds, then after twice the time, at most ten minutes. */
export interface RetrySchedule {
  readonly noteFailure: (asn: string) => void;
  /** It was not tried. */
  readonly postpone: (asn: string) => void;
  readonly noteSuccess: (asn: string) => void;
  readonly isDue: (asn: string) => boolean;
  /** How often it failed since it was last set up. */
  readonly failures: (asn: string) => number;
}

export function createRetrySchedule(now: () => number): RetrySchedule {
  const failed = new Map<string, { readonly count: number; readonly retryAt: number }>();
  return {
    noteFailure: (asn) => {
      const count = (failed.get(asn)?.count ?? 0) + 1;
      const delayMs = Math.min(firstRetryMs * 2 ** (count - 1), maxRetryMs);
      failed.set(asn, { count, retryAt: now() + delayMs });
    },
    postpone: (asn) => {
      failed.set(asn, { count: failed.get(asn)?.count ?? 0, retryAt: now() + firstRetryMs });
    },
    noteSuccess: (asn) => void failed.delete(asn),
    isDue: (asn) => (failed.get(asn)?.retryAt ?? 0) <= now(),
    failures: (asn) => failed.get(asn)?.count ?? 0,
  };
}
