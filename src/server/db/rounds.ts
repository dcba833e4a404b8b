export interface Rounds {
  /** There may be something to do. */
  readonly wake: () => void;
  /** Settles with the round that is under way, if any. */
  readonly settled: () => Promise<void>;
}

/**
 * Work that is looked for in the database, one round at a time; whoever wakes it during a round gets another one after
 * it. None begins once `closing` is aborted.
 *
 * @param onError hears why a round broke off; the next wake begins another.
 */
export function createRounds(
  closing: AbortSignal,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Rounds {
  let round: Promise<void> | null = null;
  let rung = false;

  async function rounds(): Promise<void> {
    try {
      while (rung && !closing.aborted) {
        rung = false;
        await work();
      }
    } catch (error) {
      onError(error);
    } finally {
      round = null;
    }
  }

  return {
    wake: () => {
      rung = true;
      if (!closing.aborted) round ??= rounds();
    },
    settled: async () => {
      await round;
    },
  };
}
