import type { RefusedRoutes } from "../contract/entities.ts";
import type { MockPeering } from "./state.ts";

/** What the mock nodes refuse: nothing of a peering that is well, and one of each kind of cure otherwise. */
export function refusedRoutesOf({ asn, health }: MockPeering): RefusedRoutes {
  if (health !== "Issues") return { routes: [], totals: { ipv4: 0, ipv6: 0 }, cut: false, limits: [] };
  return {
    routes: [
      {
        prefix: "0.0.0.0/0",
        family: "IPv4",
        origin: asn,
        as_path: asn,
        reason: "default route",
        explanation: "0.0.0.0/0 is a default route, which would draw all of the node's traffic to you.",
        object: "",
        cure: "Leave it out of what you export to the node.",
      },
      {
        prefix: "172.20.201.64/27",
        family: "IPv4",
        origin: asn,
        as_path: asn,
        reason: "no ROA",
        explanation: "The registry has no route object that covers 172.20.201.64/27.",
        object: "route/172.20.201.64_27",
        cure: `Create route/172.20.201.64_27 with "origin: AS${asn}", under inetnum/172.20.201.0_24 of ADA-MNT.`,
      },
    ],
    totals: { ipv4: 6000, ipv6: 0 },
    cut: true,
    limits: [
      "The node stopped taking IPv4 routes from you at 6000, refused ones included, and takes no new one since. " +
        "Announce fewer than 6000 IPv4 routes, and then use Restart BGP: without it the node goes on refusing.",
    ],
  };
}
