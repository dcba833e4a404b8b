import type { Derive } from "#server/features/accounts/password-hash.ts";

/** Hashing that the test holds, with a count of running hashes. */
export function createHeldHashing() {
  const started: Array<() => void> = [];
  const counts = { running: 0, max: 0 };
  let held = false;
  const derive: Derive = async (password, salt, _cost, length) => {
    counts.running += 1;
    counts.max = Math.max(counts.max, counts.running);
    if (held) await new Promise<void>((resolve) => void started.push(resolve));
    counts.running -= 1;
    return Buffer.concat([salt, Buffer.from(password.padEnd(length, "."))]).subarray(0, length);
  };
  return {
    derive,
    counts,
    hold: () => {
      held = true;
    },
    release: () => {
      held = false;
      for (const go of started.splice(0)) go();
    },
  };
}
