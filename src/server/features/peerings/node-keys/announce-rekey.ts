/** Gets the new key of a node from its agent, and announces it to the participants. */
import type { AgentClient } from "#server/agents/agent-client.ts";
import { formatTime } from "#domain/text/time.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import { notifyOfKey, type WriteNotice } from "./notify-of-key.ts";
import { findRekey, listByKey, type RekeyRow, setCurrentKey } from "./rekey-rows.ts";

export interface AnnounceDeps {
  readonly db: Db;
  readonly agents: Pick<AgentClient, "ask">;
  readonly clock: () => number;
  readonly writeNotice: WriteNotice;
  readonly onNotified: (asns: readonly string[]) => Promise<void>;
}

/** A hostile agent that loses its new key all the time notifies participants no more often. */
const announceEveryMs = 3_600_000;

/**
 * The caller holds the lock of the node, so that its keys are not compared with those from before. Rejects like `AgentClient.ask`,
 * and if the agent returns a key that the node had before.
 */
export async function announceRekey(deps: AnnounceDeps, { node, id, ...before }: RekeyRow): Promise<void> {
  const { db, agents, clock, writeNotice, onNotified } = deps;
  if (before.announced_at !== null && Math.abs(clock() - before.announced_at) < announceEveryMs) return;
  const { publicKey } = await agents.ask(node, "addNodeKey", { id });
  const notified = await db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    const rekey = await findRekey(tx, node);
    const facts = await tx.selectFrom("node_facts").selectAll().where("node", "=", node).executeTakeFirst();
    // Cancelled meanwhile; or the first key of the node was never read.
    if (rekey?.id !== id || rekey.new_key !== null || !facts) return [];
    const { waiting, switched } = await listByKey(tx, node, publicKey);
    if ([facts.public_key, facts.current_key].includes(publicKey) || switched.length > 0)
      throw new Error(`${node} returned a key that it had before as its new one`);
    const now = clock();
    // The participants have as long as the operator wanted, also if the node was away until the date.
    const switchAt = rekey.switch_at > now ? rekey.switch_at : now + rekey.switch_at - rekey.created_at;
    await tx
      .updateTable("node_rekeys")
      .set({ old_key: facts.current_key, new_key: publicKey, announced_at: now, switch_at: switchAt })
      .where("node", "=", node)
      .execute();
    await setCurrentKey(tx, node, publicKey);
    await addKnownKey(tx, node, publicKey, facts.added_keys);
    const detail = `Its new key is ${publicKey}. Tunnels that have not been switched get it on ${formatTime(switchAt)}.`;
    for (const asn of waiting) {
      await recordEvent(tx, { kind: "node-rekey-announced", asn, node, detail }, noOrigin, now);
      await notifyOfKey(tx, writeNotice, { notice: "nodeRekey", asn, node, at: now });
    }
    return waiting;
  });
  if (notified.length > 0) await onNotified(notified);
}

/** No participant takes the key for the own side before the facts of the node are read again. */
async function addKnownKey(tx: Db, node: string, key: string, added: string | null): Promise<void> {
  const keys = added === null ? [] : (JSON.parse(added) as readonly string[]);
  await tx
    .updateTable("node_facts")
    .set({ added_keys: JSON.stringify([...new Set([...keys, key])]) })
    .where("node", "=", node)
    .execute();
}
