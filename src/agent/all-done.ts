/** Waits until all have settled. Rejects with the first error in their order, when nothing goes on any more. */
export async function allDone(jobs: ReadonlyArray<Promise<unknown>>): Promise<void> {
  const settled = await Promise.allSettled(jobs);
  for (const result of settled) if (result.status === "rejected") throw result.reason;
}
