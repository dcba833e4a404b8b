/** UDP ports of tunnels that another program of the machine uses. */
import { readListeningPorts } from "../linux/values-in-use.ts";
import type { RoutedPeering } from "../router.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";

export interface OccupiedPorts {
  /** The tunnels whose port another program uses. */
  readonly occupied: RoutedSet;
  /** The interfaces that have released their ports. */
  readonly released: ReadonlySet<string>;
}

/** Interfaces of the agent that are down, with the ports that `wg` reports for them. */
interface DownInterfaces {
  readonly ports: ReadonlyMap<string, number>;
  readonly release: (name: string) => Promise<void>;
}

const noneDown: DownInterfaces = { ports: new Map(), release: async () => {} };

/**
 * Finds the tunnels whose port another program uses. None of the given tunnels runs yet.
 *
 * Nothing says which program a socket belongs to. While an interface is down, the kernel's WireGuard keeps its port's
 * number without a socket, and wireguard-go may keep the socket. Such an interface releases the port: if something still
 * listens on it then, it is another program.
 *
 * @param own the ports of tunnels that run
 * @param down one of them may have the port of another tunnel
 */
export async function findOccupied(
  tunnels: Iterable<RoutedPeering>,
  own: ReadonlySet<number>,
  down: DownInterfaces = noneDown,
): Promise<OccupiedPorts> {
  const wanted = new Map(Array.from(tunnels, (routed) => [routed.peering.listenPort, routed]));
  if (wanted.size === 0) return { occupied: new Map(), released: new Set() };
  let listening = await readListeningPorts();
  const released = new Set<string>();
  for (const [name, port] of down.ports) {
    if (!wanted.has(port) || !listening.has(port)) continue;
    await down.release(name);
    released.add(name);
  }
  if (released.size > 0) listening = await readListeningPorts();
  const occupied = Array.from(wanted.values()).filter(
    ({ peering: { listenPort } }) => listening.has(listenPort) && !own.has(listenPort),
  );
  return { occupied: new Map(occupied.map((routed) => [routed.peering.asn, routed])), released };
}
