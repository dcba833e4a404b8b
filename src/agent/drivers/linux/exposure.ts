/** What this node has of its own in the network, which the server passes on to the packet filters of the other nodes. */
import type { NodeExposure } from "#contract/call-tables/other-node-calls.ts";
import { contains, parseAddress, parsePrefix } from "#domain/prefix.ts";
import type { FirewallPolicy } from "../firewall/render.ts";
import { nodeSidesOf } from "../routed-peering.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import { addressesInUse } from "./values-in-use.ts";

/** As in the contract. */
const maxValues = 256;

/**
 * Own are the addresses of the machine's interfaces in the provider's prefixes or among the node's configured ones, and the
 * node's side of tunnels: further addresses of the machine, like those of containers, may be participants' elsewhere.
 *
 * @param isParticipants whether an interface is a participant's tunnel
 */
export function readExposure(
  { ownPrefixes, allowInput }: Pick<FirewallPolicy, "ownPrefixes" | "allowInput">,
  interfaces: Parameters<typeof addressesInUse>[0],
  running: RoutedSet,
  isParticipants: (name: string) => boolean,
): NodeExposure {
  const own = ownPrefixes.flatMap((text) => parsePrefix(text) ?? []);
  const ofMachine = addressesInUse(interfaces, isParticipants).filter((text) => {
    const address = parseAddress(text);
    return address !== null && own.some((range) => contains(range, address));
  });
  const addresses = [...new Set([...ofMachine, ...nodeSidesOf(running.values())])];
  return {
    addresses: addresses.toSorted().slice(0, maxValues),
    services: allowInput.slice(0, maxValues),
  };
}
