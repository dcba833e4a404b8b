/** UDP ports of tunnels that another program of the machine uses. */
import type { Finding } from "#domain/findings/findings.ts";
import { readListeningPorts } from "../linux/values-in-use.ts";
import { isSamePeering } from "../routed-peering.ts";
import { type RoutedPeering, RouterRefusedError } from "../router.ts";
import type { RoutedSet } from "./tunnel-state.ts";

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

/**
 * Rejects if one of the occupied tunnels is new, or was changed since it was left out: its participant can submit again.
 *
 * @param leftOut the tunnels that the previous set left out
 */
export function assertNotRequested(
  occupied: RoutedSet,
  isNew: (asn: string) => boolean,
  leftOut: RoutedSet,
): void {
  for (const [asn, { peering }] of occupied) {
    const previous = leftOut.get(asn);
    const isEdited = previous !== undefined && !isSamePeering(previous.peering, peering);
    if (!isNew(asn) && !isEdited) continue;
    throw new RouterRefusedError({ code: "port-taken", facts: { port: peering.listenPort } });
  }
}

/** The tunnels that were left out, for the operator. */
export function findLeftOut(leftOut: RoutedSet): readonly Finding[] {
  return Array.from(leftOut.values(), ({ peering: { asn, listenPort: port } }) => ({
    code: "tunnel-left-out",
    facts: { asn, port },
  }));
}
