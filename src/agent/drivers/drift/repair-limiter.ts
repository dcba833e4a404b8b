/**
 * Limits the repairs of each value on its own: if another program sets a value again and again, the two would otherwise
 * work against each other every ten seconds. Other values are not affected.
 */
import type { Clock } from "../../clock.ts";
import type { DriftedValue } from "./drifted-value.ts";

export interface RepairLimiter {
  /** Whether a value that differs may be repaired now. */
  readonly mayRepair: (value: DriftedValue) => boolean;
  /** `new` until the next repair is noted, which is then `repeated`. Null if the value is not contested. */
  readonly contestOf: (value: DriftedValue) => "new" | "repeated" | null;
  readonly noteRepaired: (values: readonly DriftedValue[]) => void;
  /** The values that another program seems to set again and again. */
  readonly contested: () => readonly DriftedValue[];
}

/** So many repairs within the window make a value contested. */
export const maxRepairs = 5;
export const windowMs = 10 * 60_000;
/** The pause between two repairs of a contested value. */
export const contestedPauseMs = 60_000;

interface Repairs {
  readonly value: DriftedValue;
  /** When it was repaired, within the window. */
  readonly times: readonly number[];
  /** Whether it was repaired since it became contested. */
  readonly isRepeated: boolean;
}

export function createRepairLimiter({ now }: Pick<Clock, "now">): RepairLimiter {
  const repairs = new Map<string, Repairs>();

  function find(key: string): Repairs | null {
    const found = repairs.get(key);
    if (!found) return null;
    const times = found.times.filter((time) => now() - time < windowMs);
    if (times.length > 0) return { ...found, times, isRepeated: found.isRepeated && isContested({ times }) };
    repairs.delete(key);
    return null;
  }

  return {
    mayRepair: (value) => {
      const found = find(keyOf(value));
      return !found || !isContested(found) || now() - (found.times.at(-1) ?? 0) >= contestedPauseMs;
    },
    contestOf: (value) => {
      const found = find(keyOf(value));
      if (!found || !isContested(found)) return null;
      return found.isRepeated ? "repeated" : "new";
    },
    noteRepaired: (values) => {
      for (const value of values) {
        const found = find(keyOf(value));
        const isRepeated = found !== null && isContested(found);
        repairs.set(keyOf(value), { value, times: [...(found?.times ?? []), now()], isRepeated });
      }
    },
    contested: () =>
      Array.from(repairs.keys()).flatMap((key) => {
        const found = find(key);
        return found && isContested(found) ? [found.value] : [];
      }),
  };
}

function isContested({ times }: Pick<Repairs, "times">): boolean {
  return times.length >= maxRepairs;
}

function keyOf({ value, name }: DriftedValue): string {
  return `${value} ${name}`;
}
