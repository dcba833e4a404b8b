import type { DesiredPeering } from "../peerings/desired-peerings.ts";

/**
 * Returns the endpoint host that most of an AS's peerings have, of several the one that was submitted last; null without
 * a peering. Peerings that are being deleted or have no endpoint do not count.
 */
export function chooseEndpoint(peerings: readonly DesiredPeering[]): string | null {
  const hosts = Map.groupBy(
    peerings
      .filter(({ present, peering }) => present && peering.endpointHost !== null)
      .toSorted((a, b) => b.revision - a.revision),
    ({ peering }) => peering.endpointHost,
  );
  // The sort is stable, and the host of the newest peering comes first.
  const [most] = Array.from(hosts).toSorted(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? null;
}
