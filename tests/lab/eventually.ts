import { setTimeout as pause } from "node:timers/promises";

const limitMs = 20_000;
const pauseMs = 100;

/** Asks until the answer is one that is waited for; after twenty seconds rejects with the last one. */
export async function eventually<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`still not: ${JSON.stringify(answer)}`);
    await pause(pauseMs);
  }
}
