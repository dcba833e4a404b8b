import type { ObservedPeering } from "../../contract/agent.ts";
import type { PeeringObservation } from "../drivers/router.ts";
import { type HeldSet, routedOf } from "../reconcile/held-peering.ts";
import { judgeBgp } from "./judge-bgp.ts";
import { judgeTunnel } from "./judge-tunnel.ts";

/** Every held peering with what the router says of it, judged; one the router does not know is Down. */
export function observePeerings(
  held: HeldSet,
  observed: readonly PeeringObservation[],
): readonly ObservedPeering[] {
  const byAsn = new Map(observed.map((one) => [one.asn, one]));
  return routedOf(held).map((routed) => {
    const { asn } = routed.peering;
    const tunnel = judgeTunnel(routed, byAsn.get(asn));
    const { bgpStatus, sessions, bgpIssues } = judgeBgp(routed.peering, byAsn.get(asn), tunnel.state);
    return { asn, tunnel, bgpStatus, sessions, bgpIssues };
  });
}
