/** UDP ports of tunnels that another program of the machine uses. */
import type { Finding } from "#domain/findings/findings.ts";
import { readListeningPorts } from "../linux/values-in-use.ts";
import { isSamePeering } from "../routed-peering.ts";
import { type RoutedPeering, RouterRefusedError } from "../router.ts";
import type { RoutedSet } from "./tunnel-state.ts";

/**
 * Returns the tunnels whose port another program uses. None of the given tunnels uses its port yet.
 *
 * @param own the ports of tunnels that run
 */
export async function findOccupied(
  tunnels: Iterable<RoutedPeering>,
  own: ReadonlySet<number>,
): Promise<RoutedSet> {
  const missing = [...tunnels];
  if (missing.length === 0) return new Map();
  const listening = await readListeningPorts();
  const occupied = missing.filter(
    ({ peering: { listenPort } }) => listening.has(listenPort) && !own.has(listenPort),
  );
  return new Map(occupied.map((routed) => [routed.peering.asn, routed]));
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
