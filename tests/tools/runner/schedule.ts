/**
 * Runs steps concurrently.
 *
 * Invariants:
 * - A step starts when all steps that it needs have passed, and is skipped if one of them has failed.
 * - At most `limit` steps run at the same time. Of the steps that are ready, the earlier in the list starts first.
 */

export interface Schedulable {
  readonly name: string;
  readonly needs: readonly string[];
}

export interface ScheduleOptions<S extends Schedulable, R> {
  readonly limit: number;
  readonly run: (step: S) => Promise<R>;
  readonly hasPassed: (result: R) => boolean;
  /** The result of a step that does not run because `failed`, a step that it needs, has not passed. */
  readonly skip: (step: S, failed: string) => R;
}

/** Resolves to the results in the order of `steps`. Rejects if `run` rejects or a needed step does not exist. */
export async function runSchedule<S extends Schedulable, R>(
  steps: readonly S[],
  { limit, run, hasPassed, skip }: ScheduleOptions<S, R>,
): Promise<readonly R[]> {
  const names = new Set(steps.map(({ name }) => name));
  const missing = steps.flatMap(({ needs }) => needs).find((need) => !names.has(need));
  if (missing !== undefined) throw new Error(`No step is called ${missing}.`);
  const results = new Map<string, R>();
  const running = new Map<string, Promise<void>>();

  const failedNeed = (step: S) =>
    step.needs.find((need) => {
      const result = results.get(need);
      return result !== undefined && !hasPassed(result);
    });
  const isReady = (step: S) => step.needs.every((need) => results.has(need));
  const runOne = async (step: S) => {
    results.set(step.name, await run(step));
    running.delete(step.name);
  };

  while (results.size < steps.length) {
    const waiting = steps.filter(({ name }) => !results.has(name) && !running.has(name));
    const blocked = waiting.filter((step) => failedNeed(step) !== undefined);
    for (const step of blocked) results.set(step.name, skip(step, failedNeed(step) ?? ""));
    if (blocked.length > 0) continue;
    const free = Math.max(0, limit - running.size);
    for (const step of waiting.filter(isReady).slice(0, free)) running.set(step.name, runOne(step));
    if (running.size === 0) throw new Error("The remaining steps need each other.");
    await Promise.race(running.values());
  }
  return steps.flatMap(({ name }) => results.get(name) ?? []);
}
