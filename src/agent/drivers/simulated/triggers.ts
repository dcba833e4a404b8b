/**
 * How a simulated participant misbehaves, chosen by the port of its endpoint: the small services of RFC 862
 * to 868, on which no WireGuard listens. Any other port is a participant without faults. Beside these, a host
 * name under `.invalid` does not resolve.
 */
import type { Peering } from "../../../contract/agent.ts";

export type Trouble =
  | "no pings"
  | "no handshake"
  | "no BGP daemon"
  | "no extended next hop"
  | "refused routes"
  | "unregistered route"
  | "refused by BIRD";

export const troublesByPort: ReadonlyMap<number, Trouble> = new Map([
  // Tunnel and BGP are up; nothing answers pings.
  [7, "no pings"],
  // The tunnel never comes up, nor does BGP.
  [9, "no handshake"],
  // One more route is announced for each reason of our filters.
  [11, "refused routes"],
  // The tunnel is up; the neighbour refuses TCP port 179.
  [13, "no BGP daemon"],
  // An MP-BGP session comes up for IPv6 only: the neighbour announces neither IPv4 nor extended next hop.
  [17, "no extended next hop"],
  // One more route a family is announced, which the ROA check refuses.
  [19, "unregistered route"],
  // Every set that holds this peering is refused.
  [37, "refused by BIRD"],
]);

export function troubleOf({ endpointPort }: Pick<Peering, "endpointPort">): Trouble | null {
  return troublesByPort.get(endpointPort) ?? null;
}
