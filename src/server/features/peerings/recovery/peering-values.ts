import type { Peering } from "../../../../contract/agent.ts";

/** Returns the values that differ between two versions of a peering. */
export function listDifferences(before: Peering, after: Peering): ReadonlyArray<keyof Peering> {
  const names = Object.keys({ ...before, ...after }) as Array<keyof Peering>;
  return names.filter((name) => before[name] !== after[name]);
}
