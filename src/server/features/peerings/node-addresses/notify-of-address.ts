import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import { enqueueMessage } from "#server/push/messages.ts";
import type { ChangedNode } from "#server/nodes/change-node.ts";

interface NodeAddressNotice {
  readonly asn: string;
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Notifies the participants of a node whose address has changed, within the transaction that changes it. No peering changes: the
 * participants enter the new address on their routers.
 *
 * @param writeNotice writes the notice of which a mail is made
 * @returns the AS numbers; empty if the address is the same
 */
export async function notifyOfAddress(
  tx: Db,
  { before, after }: ChangedNode,
  now: number,
  writeNotice: (tx: Db, notice: NodeAddressNotice) => Promise<void>,
): Promise<readonly string[]> {
  if (before.publicIp === after.publicIp) return [];
  const node = after.name;
  const peerings = await tx
    .selectFrom("peerings")
    .select("asn")
    .where("node", "=", node)
    .where("present", "=", 1)
    .orderBy("asn")
    .execute();
  for (const { asn } of peerings) {
    await recordEvent(tx, { kind: "node-address-changed", asn, node }, noOrigin, now);
    await writeNotice(tx, { asn, node, at: now });
    await enqueueMessage(tx, { type: "nodeAddress", username: asn, node }, now);
  }
  return peerings.map(({ asn }) => asn);
}
