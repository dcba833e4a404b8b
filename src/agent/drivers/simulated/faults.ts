/**
 * The simulated faults of a participant, selected by the port of its endpoint: the ports of the small
 * services of RFC 862 to 868, which WireGuard does not use. A participant with any other port has no fault.
 * In addition, a hostname under `.invalid` does not resolve, and one that begins with `ipv6.` has addresses of both families,
 * of which only the IPv6 one replies.
 */
import type { Peering } from "#contract/agent.ts";
import type { RoutedPeering } from "../routed-peering.ts";

export type SimulatedFault =
  | "no pings"
  | "no handshake"
  | "no BGP daemon"
  | "no extended next hop"
  | "refused routes"
  | "unregistered route"
  | "refused by BIRD";

export const faultsByPort: ReadonlyMap<number, SimulatedFault> = new Map([
  // Tunnel and BGP are up; pings get no reply.
  [7, "no pings"],
  // Neither the tunnel nor BGP comes up.
  [9, "no handshake"],
  // One additional route is announced for each reason of the import filters.
  [11, "refused routes"],
  // The tunnel is up; the neighbour refuses TCP port 179.
  [13, "no BGP daemon"],
  // An MP-BGP session comes up for IPv6 only: the neighbour announces neither IPv4 nor extended next hop.
  [17, "no extended next hop"],
  // One additional route per address family is announced, which the ROA check rejects.
  [19, "unregistered route"],
  // Every set that contains this peering is refused.
  [37, "refused by BIRD"],
]);

export function isIpv6Only(host: string): boolean {
  return host.startsWith("ipv6.");
}

/** Whether nothing replies at the address that the node uses. */
export function isSilentAddress({ peering, endpointAddress }: RoutedPeering): boolean {
  return isIpv6Only(peering.endpointHost ?? "") && endpointAddress?.includes(":") === false;
}

export function faultOf({ endpointPort }: Pick<Peering, "endpointPort">): SimulatedFault | null {
  return endpointPort === null ? null : (faultsByPort.get(endpointPort) ?? null);
}
