export interface JobLoop extends AsyncDisposable {
  /** Runs the job now and every `pollMs`. Without it, the loop runs after signals alone. */
  start(): void;
  /** Reports that there may be work. */
  signal(): void;
}

export interface JobLoopOptions {
  /** How often the started job runs without a signal, since a signal of another server may be lost; default never. */
  readonly pollMs?: number;
  /** Does the pending work. */
  readonly run: (jobRun: JobRun) => Promise<unknown>;
  /** Receives the error of a run, unless the loop was closing. */
  readonly onError: (error: unknown) => void;
}

export interface JobRun {
  /** Aborts when the loop closes. */
  readonly closing: AbortSignal;
  /**
   * Clears pending signals, and resolves at the next signal or poll. For a run that looks for work again while earlier
   * work is in progress.
   */
  readonly clearSignals: () => Promise<void>;
}

/**
 * Runs a job that looks for its work in the database, one run at a time. A signal during a run causes another run after
 * it, unless the run has taken it. After an error the loop waits for the next signal or poll. Disposing waits for the
 * current run.
 */
export function createJobLoop({ pollMs, run, onError }: JobLoopOptions): JobLoop {
  const closing = new AbortController();
  let current: Promise<void> | null = null;
  let pending = false;
  let signalled = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;

  function clearSignals(): Promise<void> {
    pending = false;
    signalled = Promise.withResolvers();
    return signalled.promise;
  }

  async function runWhilePending(): Promise<void> {
    try {
      while (pending && !closing.signal.aborted) {
        pending = false;
        await run({ closing: closing.signal, clearSignals });
      }
    } catch (error) {
      if (!closing.signal.aborted) onError(error);
    } finally {
      current = null;
    }
  }

  function signal(): void {
    pending = true;
    signalled.resolve();
    if (!closing.signal.aborted) current ??= runWhilePending();
  }

  return {
    signal,
    start() {
      if (pollMs !== undefined) timer = setInterval(signal, pollMs);
      signal();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      await current;
    },
  };
}
