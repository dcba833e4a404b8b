/** Sample peerings, one for each health. */
import type { PeerUpdate } from "../contract/entities.ts";
import type { Health } from "../domain/health.ts";
import { pollTask, submitUpdate } from "./deployments.ts";
import { emptyState, type MockState, participant } from "./state.ts";

export const sampleUpdate: PeerUpdate = {
  node: "syd01",
  address_family: "Both",
  bgp_extnh: "Yes",
  remote_ip: "router.example.org",
  remote_port: "51820",
  peer_ipv4: "",
  peer_ipv6: "fe80::1:1",
  local_ipv6: "",
  public_key: "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
};

/** Adds a finished peering of the participant. */
export function addPeering(state: MockState, update: Partial<PeerUpdate> = {}, health: Health = "OK"): void {
  const { taskID } = submitUpdate(state, participant.asn, { ...sampleUpdate, ...update });
  while (pollTask(state, participant.asn, taskID).status === "waiting");
  const node = update.node ?? sampleUpdate.node;
  state.peerings = state.peerings.map((each) => (each.node === node ? { ...each, health } : each));
}

/** The participant logged in, without peerings. */
export function loggedInState(): MockState {
  return { ...emptyState(), loggedInAs: participant.asn };
}

/** The initial state of `npm run dev:mock`: three peerings of different health, and no login session. */
export function sampleState(): MockState {
  const state = emptyState();
  addPeering(state);
  addPeering(state, { node: "de01", bgp_extnh: "No", peer_ipv4: "172.20.201.1", peer_ipv6: "" }, "Issues");
  addPeering(
    state,
    { node: "ny01", address_family: "IPv4", peer_ipv4: "172.20.201.2", peer_ipv6: "" },
    "Down",
  );
  return state;
}

/** The participant logged in, while each node gets another public key. */
export function rekeyState(): MockState {
  const state = { ...sampleState(), loggedInAs: participant.asn };
  for (const { node } of state.peerings) state.rekeys[node] = Date.now() + 14 * 24 * 60 * 60_000;
  return state;
}
