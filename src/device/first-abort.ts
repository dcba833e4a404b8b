/**
 * A signal that aborts with the first of these, for its reason. `AbortSignal.any` does that in newer browsers than
 * those that the app is built for.
 */
export function firstAbort(...signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    const abort = () => first.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { signal: first.signal });
  }
  return first.signal;
}
