import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { RoutedPeering } from "../router.ts";
import type { Kernel } from "../wireguard/kernel-state.ts";

/**
 * Finds the tunnels whose names interfaces of other programs have. Such an interface is never changed.
 *
 * After a reboot, another program may have created an interface with the name of an owned one. It is recognised unless it is
 * a WireGuard interface, too.
 *
 * @param kernel its state, if it was read
 * @returns their AS numbers
 */
export async function findForeignNames(
  tunnels: readonly RoutedPeering[],
  kernel: Kernel | null,
  owned: ReadonlySet<string>,
  exists: (name: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { peering } of tunnels) {
    const name = interfaceName(peering.asn);
    const isForeign = owned.has(name)
      ? kernel !== null && kernel.links.has(name) && !kernel.states.has(name)
      : (kernel?.links.has(name) ?? (await exists(name)));
    if (isForeign) found.push(peering.asn);
  }
  return found;
}
