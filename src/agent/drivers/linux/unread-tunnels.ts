import type { Connection } from "#contract/entities.ts";
import type { Finding } from "#domain/findings/findings.ts";

/**
 * Finds which of the provider's own tunnels exist and cannot be read.
 *
 * @param tunnels the interfaces by the node at their other end
 */
export function findUnreadTunnels(
  links: readonly Connection[],
  tunnels: Readonly<Record<string, { readonly interface: string }>>,
): readonly Finding[] {
  const unread = links.filter(({ status }) => status === "unknown");
  return unread.map(({ to }) => ({
    code: "link-unreadable",
    facts: { interface: tunnels[to]?.interface ?? to },
  }));
}
