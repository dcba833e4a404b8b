import { limitNumbers, type LimitName } from "../rate-limits.ts";

/** "At most 20 changes of a peering in a minute. At most 500 changes of an AS in a day." */
export function describeLimits(limits: Readonly<Partial<Record<LimitName, string>>>): string {
  return Object.entries(limits)
    .map(([name, what]) => {
      const { points, seconds } = limitNumbers[name as LimitName];
      return `At most ${points} ${what} in ${describeDuration(seconds)}.`;
    })
    .join(" ");
}

const units = [
  [86_400, "a day", "days"],
  [3_600, "an hour", "hours"],
  [60, "a minute", "minutes"],
  [1, "a second", "seconds"],
] as const;

function describeDuration(seconds: number): string {
  const [length, one, many] = units.find(([each]) => seconds % each === 0) ?? units[3];
  return seconds === length ? one : `${seconds / length} ${many}`;
}
