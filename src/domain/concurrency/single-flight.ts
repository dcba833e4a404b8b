export interface SingleFlight<T> {
  /** The result of the latest read of the key, or of a new one. Without a key there is one read for all callers. */
  readonly get: (key?: string) => Promise<T>;
  /** The result that `get` would return without a new read; undefined if there is none. */
  readonly current: (key?: string) => Promise<T> | undefined;
  /** Makes the next `get` of the key start a read of its own, even while one is in flight. */
  readonly invalidate: (key?: string) => void;
}

export interface SingleFlightOptions {
  /** How long a result serves further callers. */
  readonly maxAgeMs: number;
  /** The time in milliseconds. It must not go back. */
  readonly now: () => number;
  /** When the age of a result begins: with its read (default), or when the read has ended. */
  readonly ageFrom?: "start" | "end";
  /** Whether a failed read serves further callers as a result does (default). Otherwise the next one reads again. */
  readonly sharesFailures?: boolean;
}

/**
 * Shares reads between callers, so that the work does not grow with their number.
 *
 * Invariant: unless a key is invalidated, at most one read of it is in flight.
 */
export function createSingleFlight<T>(
  read: (key: string) => Promise<T>,
  { maxAgeMs, now, ageFrom = "start", sharesFailures = true }: SingleFlightOptions,
): SingleFlight<T> {
  const latest = new Map<string, { readonly result: Promise<T>; sharedUntil: number }>();

  function start(key: string): Promise<T> {
    const startedAt = now();
    for (const [other, { sharedUntil }] of latest) if (startedAt >= sharedUntil) latest.delete(other);
    const flight = { result: read(key), sharedUntil: Number.POSITIVE_INFINITY };
    latest.set(key, flight);
    const share = () => {
      flight.sharedUntil = (ageFrom === "start" ? startedAt : now()) + maxAgeMs;
    };
    const expire = () => {
      flight.sharedUntil = Number.NEGATIVE_INFINITY;
    };
    flight.result.then(share, sharesFailures ? share : expire);
    return flight.result;
  }

  function current(key = ""): Promise<T> | undefined {
    const flight = latest.get(key);
    return flight && now() < flight.sharedUntil ? flight.result : undefined;
  }

  return {
    get: (key = "") => current(key) ?? start(key),
    current,
    invalidate: (key = "") => void latest.delete(key),
  };
}
