import type { Db } from "#server/db/open.ts";
import type { ChangedNode } from "#server/nodes/change-node.ts";

/**
 * Returns the AS of the participant whose tunnel on the node has the node's new tunnel address, which the next deployment of
 * another peering would take from it; null if no tunnel has it.
 */
export async function findTunnelAddressUser(tx: Db, { after }: ChangedNode): Promise<string | null> {
  const user = await tx
    .selectFrom("peerings")
    .select("asn")
    .where("node", "=", after.name)
    .where("peer_ipv4", "=", after.tunnelIpv4)
    .limit(1)
    .executeTakeFirst();
  return user?.asn ?? null;
}
