/** The demo of the pictures: its nodes, and the peerings of the participant. */
import { distanceMs } from "#agent/drivers/simulated/simulated-peer.ts";
import { peerUpdate } from "../../integration/server/participant.ts";
import type { SampledPeering } from "./sample-history.ts";

/** In the order of the demo's profile. */
export const demoNodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"];

interface DemoPeering extends Pick<SampledPeering, "node" | "state" | "accepted" | "refused"> {
  /** Selects the behaviour of the simulated remote router (src/agent/drivers/simulated/faults.ts). */
  readonly port: string;
}

/** The states and routes are those that the ports lead to. */
export const demoPeerings: readonly DemoPeering[] = [
  { node: "de01", port: "13", state: "session down", accepted: 3, refused: 0 },
  { node: "ny01", port: "51820", state: "OK", accepted: 3, refused: 0 },
  { node: "sin01", port: "11", state: "Issues", accepted: 3, refused: 18 },
  { node: "per01", port: "51820", state: "OK", accepted: 3, refused: 0 },
];

export const pictured = demoPeerings.map(({ node }) => node);

/** The pictured peerings for their history, with the round trips of the simulation. */
export function sampledDemoPeerings(): readonly SampledPeering[] {
  const { remote_ip } = peerUpdate();
  return demoPeerings.map(({ node, state, accepted, refused }) => ({
    node,
    state,
    accepted,
    refused,
    latencyMs: distanceMs(node, remote_ip),
  }));
}
