/** Waits until all have settled, and returns their values. Rejects with the first error in their order, when nothing goes on any more. */
export async function allDone<T>(jobs: ReadonlyArray<Promise<T>>): Promise<readonly T[]> {
  await Promise.allSettled(jobs);
  return Promise.all(jobs);
}
