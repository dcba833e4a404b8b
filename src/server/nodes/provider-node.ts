import type { NodeProfile } from "../config/profile.ts";

/**
 * Whether a node accepts new peerings. `open`, up to its limit; `review`: an operator decides, and until then it counts as closed;
 * `closed`; `draining`: it is closed and will be taken out of service. Existing peerings can be changed and deleted in every state.
 */
export const nodeStates = ["open", "review", "closed", "draining"] as const;
export type NodeState = (typeof nodeStates)[number];

/** A node of the provider, as the database has it. */
export interface ProviderNode extends Omit<NodeProfile, "lat" | "lon"> {
  /** Degrees; null if the operator has not entered them. The node is then not on the map. */
  readonly lat: number | null;
  readonly lon: number | null;
  readonly state: NodeState;
}

/** A node as a provider profile describes it. A limit of 0 closes it. */
export function toProviderNode(profile: NodeProfile): ProviderNode {
  const isClosed = profile.maxPeerings === 0;
  return {
    ...profile,
    maxPeerings: isClosed ? null : profile.maxPeerings,
    state: isClosed ? "closed" : "open",
  };
}
