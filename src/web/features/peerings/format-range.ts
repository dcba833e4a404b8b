import type { Plot } from "#contract/history.ts";

/** "13.8 to 17.2 ms", or "14 ms" if it was the same all the time. @param unit with the blank before it, if it has one */
export function formatRange([min, max]: Plot, unit: string): string {
  return min === max ? `${min}${unit}` : `${min} to ${max}${unit}`;
}
