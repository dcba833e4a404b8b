export type Exclusive = <T>(job: () => Promise<T>) => Promise<T>;

/** Runs one job at a time, in the order of the calls. A failed job does not block the next one. */
export function createExclusive(): Exclusive {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const run = last.then(job, job);
    last = run.catch(() => {});
    return run;
  };
}
