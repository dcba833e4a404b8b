import type { PublicPeering } from "#contract/agent.ts";

/** Returns the values that differ between two versions of a peering, without pre-shared keys, which nodes do not return. */
export function listDifferences(
  before: PublicPeering,
  after: PublicPeering,
): ReadonlyArray<keyof PublicPeering> {
  const names = Object.keys({ ...before, ...after, presharedKey: null }) as Array<
    keyof PublicPeering | "presharedKey"
  >;
  return names.filter((name) => name !== "presharedKey").filter((name) => before[name] !== after[name]);
}
