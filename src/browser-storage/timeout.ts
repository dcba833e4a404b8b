/** Time limits for the app and the worker. */

/** Settles like `promise`, or resolves to `fallback` after `timeoutMs`. The work itself goes on. */
export async function withTimeout<T, F>(
  promise: PromiseLike<T>,
  timeoutMs: number,
  fallback: F,
): Promise<T | F> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<F>((resolve) => {
    timer = setTimeout(() => resolve(fallback), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles when all promises have settled, whether or not they failed, at the latest after `timeoutMs`. */
export async function settleWithin(
  timeoutMs: number,
  ...promises: readonly Promise<unknown>[]
): Promise<void> {
  await withTimeout(Promise.allSettled(promises), timeoutMs, undefined);
}

/**
 * A signal that aborts with the first of these, for its reason. `AbortSignal.any` does the same, but not in the oldest
 * browsers that the app supports.
 */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { signal: controller.signal });
  }
  return controller.signal;
}
