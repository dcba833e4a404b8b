/**
 * Takes the same thing once, however often it is handed in.
 *
 * Invariants: at most one `accept` of a key is under way, and whoever hands the key in meanwhile gets its
 * outcome; an outcome that was an error is forgotten at once. It is kept in this process's memory; several
 * servers each remember for themselves.
 */
export type AcceptOnce = (key: string, accept: () => Promise<void>) => Promise<void>;

export function createAcceptOnce(clock: () => number, rememberedMs: number): AcceptOnce {
  /** In the order of their times. */
  const accepted = new Map<string, { readonly at: number; readonly outcome: Promise<void> }>();

  return async (key, accept) => {
    const now = clock();
    for (const [each, { at }] of accepted) {
      if (now - at < rememberedMs) break;
      accepted.delete(each);
    }
    const before = accepted.get(key);
    if (before) return before.outcome;
    const outcome = accept();
    accepted.set(key, { at: now, outcome });
    try {
      await outcome;
    } catch (error) {
      accepted.delete(key);
      throw error;
    }
  };
}
