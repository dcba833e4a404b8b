/**
 * Stores the public keys of a node and the version of its agent, and notifies the participants of another key: their
 * tunnels stay down until they enter it in their configurations.
 *
 * Invariants:
 * - The notifications are written in the transaction that marks the key as notified, so each is written once.
 * - Only peerings whose participants use another key are notified. `confirm-node-keys.ts` says how that is known.
 * - The participants of a node are notified at most once an hour, whatever its agent returns. The latest key counts.
 */
import type { Logger } from "pino";
import type { AgentCalls } from "#contract/agent.ts";
import type { CallResponse } from "#contract/call.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { AgentClient } from "#server/agents/agent-client.ts";
import type { Db } from "#server/db/open.ts";
import { adoptCurrentKey, dropLostKeys } from "./lost-keys.ts";
import { notifyOfKey, type WriteNotice } from "./notify-of-key.ts";

export interface FollowNodeKeyDeps {
  readonly db: Db;
  readonly agents: AgentClient;
  /** Writes the notice of which a mail is made, in the transaction. */
  readonly writeNotice: WriteNotice;
  readonly log: Logger;
  readonly clock: () => number;
  /** Called after notices and push messages are committed. */
  readonly onNotified: (asns: readonly string[]) => Promise<void>;
}

const notifyEveryMs = 3_600_000;
/** An agent may be hostile. */
const maxVersionLength = 100;

type Facts = CallResponse<AgentCalls["facts"]>;

/** The caller holds the lock of the node. Rejects with `NodeUnreachableError` if the node does not respond. */
export async function followNodeKey(deps: FollowNodeKeyDeps, node: string): Promise<void> {
  const { db, agents, log, clock, onNotified } = deps;
  const facts = await agents.ask(node, "facts", undefined);
  const { publicKey } = facts;
  const notified = await db.transaction().execute(async (tx) => {
    const now = clock();
    const keys = [publicKey, ...facts.keys];
    const moved = await dropLostKeys(tx, { node, keys, now });
    if (moved.length > 0)
      log.warn({ node, asns: moved }, "the node has lost a key; their tunnels get its first one");
    const isNotified = await storeFacts(tx, facts, node, now);
    await adoptCurrentKey(tx, node, keys);
    await setUnknownKeys(tx, node, publicKey);
    if (isNotified && moved.length === 0) return [];
    return notifyParticipants(deps, tx, { node, publicKey, now });
  });
  if (notified.length === 0) return;
  log.warn({ node, asns: notified }, "the node has another public key; its participants are notified");
  await onNotified(notified);
}

/** Returns whether the participants need no notification now. */
async function storeFacts(
  tx: Db,
  { publicKey, keys, version }: Facts,
  node: string,
  now: number,
): Promise<boolean> {
  const addedKeys = JSON.stringify(keys.filter((key) => key !== publicKey));
  const agentVersion = version?.slice(0, maxVersionLength) ?? null;
  const before = await tx.selectFrom("node_facts").selectAll().where("node", "=", node).executeTakeFirst();
  if (!before) {
    await tx
      .insertInto("node_facts")
      .values({
        node,
        public_key: publicKey,
        added_keys: addedKeys,
        current_key: null,
        agent_version: agentVersion,
        seen_at: now,
        key_since: now,
        notified_key: publicKey,
        notified_at: null,
      })
      .execute();
    return true;
  }
  await tx
    .updateTable("node_facts")
    .set({
      public_key: publicKey,
      added_keys: addedKeys,
      agent_version: agentVersion,
      seen_at: now,
      key_since: before.public_key === publicKey ? before.key_since : now,
    })
    .where("node", "=", node)
    .execute();
  if (before.notified_key === publicKey) return true;
  return before.notified_at !== null && Math.abs(now - before.notified_at) < notifyEveryMs;
}

/** A peering that was recovered from its node, or created before the node was reached, is taken to have its present key. */
async function setUnknownKeys(tx: Db, node: string, publicKey: string): Promise<void> {
  await tx
    .updateTable("peerings")
    .set((row) => ({ node_key: row.fn.coalesce("tunnel_key", row.val(publicKey)) }))
    .where("node", "=", node)
    .where("node_key", "is", null)
    .execute();
}

/** Returns the AS numbers. */
async function notifyParticipants(
  { writeNotice }: FollowNodeKeyDeps,
  tx: Db,
  { node, publicKey, now }: { readonly node: string; readonly publicKey: string; readonly now: number },
): Promise<readonly string[]> {
  const peerings = await tx
    .selectFrom("peerings")
    .select("asn")
    .where("node", "=", node)
    .where("present", "=", 1)
    .where("tunnel_key", "is", null)
    .where("node_key", "!=", publicKey)
    .orderBy("asn")
    .execute();
  for (const { asn } of peerings) {
    await recordEvent(tx, { kind: "node-key-changed", asn, node }, noOrigin, now);
    await notifyOfKey(tx, writeNotice, { notice: "nodeKeyChanged", asn, node, at: now });
  }
  await tx
    .updateTable("node_facts")
    .set({ notified_key: publicKey, notified_at: now })
    .where("node", "=", node)
    .execute();
  return peerings.map(({ asn }) => asn);
}
