export type Exclusive = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs one work at a time, in the order of the calls; one that fails does not hold up the next. */
export function createExclusive(): Exclusive {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work, work);
    last = run.catch(() => {});
    return run;
  };
}
