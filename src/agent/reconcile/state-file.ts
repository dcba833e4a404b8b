import { join } from "node:path";
import * as v from "valibot";
import { routedPeering } from "../drivers/routed-peering.ts";
import { createNodeFile } from "../node-file.ts";
import type { AppliedPeering } from "./applied-peering.ts";

/** Storage of the applied state across restarts. */
export interface StateStore {
  /** Empty on the first start. Rejects if the stored state cannot be read. */
  readonly load: () => Promise<readonly AppliedPeering[]>;
  /**
   * Resolves when the state would survive a power cut. After a rejection the store contains either the old or
   * the new state, complete.
   */
  readonly save: (state: readonly AppliedPeering[]) => Promise<void>;
}

const stored = v.object({
  peerings: v.array(
    v.object({
      asn: v.string(),
      generation: v.number(),
      routed: v.nullable(routedPeering),
      database: v.string(),
    }),
  ),
});

export function createStateFile(folder: string, node: string): StateStore {
  const file = createNodeFile({
    path: join(folder, "state.json"),
    node,
    schema: stored,
    advice: "Move it away to start with an empty state; the server then sends every peering again.",
  });
  return {
    load: async () => (await file.load())?.peerings ?? [],
    save: (state) => file.save({ peerings: [...state] }),
  };
}
