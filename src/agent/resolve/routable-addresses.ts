import { createSocket } from "node:dgram";
import { familyOf } from "../../domain/peering/bgp-sessions.ts";
import type { Resolver } from "./resolve-endpoint.ts";

/**
 * Returns a resolver that leaves out the addresses of a family to whose first one the node has no route: an IPv6-only node
 * uses no IPv4 addresses. If it has a route to neither, for example while its network is down, all remain.
 */
export function onlyRoutable(resolver: Resolver, hasRoute = kernelHasRoute): Resolver {
  return async (name, signal) => {
    const addresses = await resolver(name, signal);
    // One of each family: the owner of a name decides how many addresses it has.
    const firsts = new Map(addresses.toReversed().map((address) => [familyOf(address), address]));
    if (firsts.size < 2) return addresses;
    const found = await Promise.all(
      Array.from(firsts, async ([family, address]) => ({ family, isRoutable: await hasRoute(address) })),
    );
    const routable = new Set(found.flatMap(({ family, isRoutable }) => (isRoutable ? [family] : [])));
    return routable.size === 0 ? addresses : addresses.filter((address) => routable.has(familyOf(address)));
  };
}

/** A UDP port. The lookup of a route does not need one, and nothing is sent. */
const discardPort = 9;

/**
 * Whether the kernel has a route to an address. Connecting a UDP socket looks it up, as `ip route get` does, without a process
 * and without a packet. A default route or an address on an interface would say less: a node may have routes to some
 * networks only, and it has addresses of dn42 in both families.
 */
export function kernelHasRoute(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(familyOf(address) === "IPv6" ? "udp6" : "udp4");
    const finish = (hasRoute: boolean) => {
      resolve(hasRoute);
      socket.close();
    };
    socket.once("error", () => finish(false)).once("connect", () => finish(true));
    socket.connect(discardPort, address);
  });
}
