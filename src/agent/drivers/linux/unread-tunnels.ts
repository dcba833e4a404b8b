import type { Connection } from "../../../contract/entities.ts";

/**
 * Describes which of the provider's own tunnels exist and cannot be read.
 *
 * @param tunnels the interfaces by the node at their other end
 */
export function describeUnreadTunnels(
  links: readonly Connection[],
  tunnels: Readonly<Record<string, { readonly interface: string }>>,
): readonly string[] {
  const unread = links.filter(({ status }) => status === "unknown");
  return unread.map(({ to }) => `The state of ${tunnels[to]?.interface ?? to} cannot be read.`);
}
