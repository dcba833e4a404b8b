import type { Clock } from "../clock.ts";

export interface Shared<T> {
  readonly read: () => Promise<T>;
  /** Makes the next read a fresh one; a read under way is not waited for. */
  readonly forget: () => void;
}

const sharedMs = 1000;

/**
 * One reading for everybody who asks within a second, so that the router's work does not grow with the number
 * of people looking. A reading that failed is shared while it runs and not kept.
 */
export function share<T>(clock: Clock, readFresh: () => Promise<T>): Shared<T> {
  let kept: { readonly reading: Promise<T>; until: number } | null = null;
  return {
    read: () => {
      if (kept && clock.now() < kept.until) return kept.reading;
      const mine = { reading: readFresh(), until: Number.POSITIVE_INFINITY };
      kept = mine;
      void mine.reading
        .then(() => clock.now() + sharedMs)
        .catch(() => Number.NEGATIVE_INFINITY)
        .then((until) => (mine.until = until));
      return mine.reading;
    },
    forget: () => {
      kept = null;
    },
  };
}

/** `share` for each key on its own. What is past its second is dropped when another key is read. */
export function shareEach<T>(
  clock: Clock,
  readFresh: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const byKey = new Map<string, { readonly shared: Shared<T>; at: number }>();
  return (key) => {
    const now = clock.now();
    for (const [old, { at }] of byKey) if (now - at > 60_000) byKey.delete(old);
    const entry = byKey.get(key) ?? { shared: share(clock, () => readFresh(key)), at: now };
    entry.at = now;
    byKey.set(key, entry);
    return entry.shared.read();
  };
}
