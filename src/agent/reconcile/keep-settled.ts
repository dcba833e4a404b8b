import type { Clock } from "../clock.ts";
import type { Reconciler } from "./reconciler.ts";

/** Looking is three commands. */
const everyMs = 10_000;
/** The longest pause between two attempts at mending. One that lasted for longer has helped. */
const longestMs = 60_000;

/**
 * Looks every ten seconds whether the router still runs what is held, and makes it do so where it does not: what
 * it was given can vanish without any change. A router that does not answer is left alone until it does. What
 * does not help is tried less and less often, at least every minute. Ends when disposed.
 */
export function keepSettled(options: {
  readonly reconciler: Pick<Reconciler, "look" | "settle">;
  readonly clock: Clock;
}): AsyncDisposable {
  const { reconciler, clock } = options;
  const end = new AbortController();
  let pauseMs = 0;
  let mendedAt = Number.NEGATIVE_INFINITY;

  async function lookOnce(): Promise<void> {
    const seen = await reconciler.look();
    const sinceMs = clock.now() - mendedAt;
    if (seen !== "differs" || sinceMs < pauseMs) return;
    pauseMs = sinceMs > longestMs ? everyMs : Math.min(2 * pauseMs, longestMs);
    await reconciler.settle();
    mendedAt = clock.now();
  }

  const looping = (async () => {
    while (!end.signal.aborted) {
      await clock.sleep(everyMs, end.signal);
      if (!end.signal.aborted) await lookOnce();
    }
  })();
  return {
    [Symbol.asyncDispose]: () => {
      end.abort();
      return looping;
    },
  };
}
