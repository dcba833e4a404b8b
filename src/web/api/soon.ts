/** Milliseconds that a screen waits for its data before it is drawn with places for what is still to come. */
const waitMs = 250;

/**
 * Settles when all reads have ended or have taken too long to be waited for; for the loaders of routes. A node
 * that is slow to answer then keeps nobody from the screen around it.
 */
export async function soon(...reads: readonly Promise<unknown>[]): Promise<void> {
  const patienceEnds = new Promise<void>((resolve) => {
    setTimeout(resolve, waitMs);
  });
  await Promise.race([Promise.allSettled(reads), patienceEnds]);
}
