/**
 * Finds out whether participants use the keys to which their tunnels were switched.
 *
 * Invariant: a tunnel goes back only after it was observed for `returnAfterMs` without a handshake and without a gap. What
 * happened while no server observed it does not count against the participant.
 *
 * An agent forgets the handshakes of a tunnel as it gives it another key, so each one that it returns later is with that key. The
 * first may come before the deployment ends, and there may be no other for two minutes.
 */
import type { Db } from "#server/db/open.ts";
import { confirmKey, type KeyObservation } from "./confirm-node-keys.ts";

/** How long a participant's router has for the first handshake. */
export const returnAfterMs = 5 * 60_000;
/** Observations are a minute apart. */
const maxGapMs = 3 * 60_000;
/** A read of the node that began before the switch may be shared for so long. */
const sharedReadMs = 2_000;

/** Stores which switches a handshake has confirmed, and how long the other tunnels were observed without one. */
export async function observeSwitches(db: Db, { at, nodes }: KeyObservation): Promise<void> {
  const observed = new Map(nodes.map(({ node, peerings }) => [node, peerings]));
  const switches = await db
    .selectFrom("node_key_switches")
    .selectAll()
    .where("deployed_at", "is not", null)
    .where("return_task", "is", null)
    .$narrowType<{ deployed_at: number }>()
    .execute();
  for (const { asn, node, task, ...before } of switches) {
    const tunnel = observed.get(node)?.find((each) => each.asn === asn)?.tunnel;
    if (!tunnel) continue;
    if (tunnel.handshakeAgeSeconds !== null && at > before.deployed_at + sharedReadMs) {
      await confirmSwitch(db, { asn, node, task });
      continue;
    }
    const seenAt = before.seen_at ?? before.deployed_at;
    const isWatched = Math.abs(at - seenAt) <= maxGapMs;
    const watchedFrom = before.watched_from ?? before.deployed_at;
    await db
      .updateTable("node_key_switches")
      .set({ seen_at: at, watched_from: isWatched ? watchedFrom : at })
      .where("task", "=", task)
      .where("return_task", "is", null)
      .execute();
  }
}

interface SwitchKey {
  readonly asn: string;
  readonly node: string;
  readonly task: string;
}

async function confirmSwitch(db: Db, { asn, node, task }: SwitchKey): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("node_key_switches")
      .where("task", "=", task)
      .where("return_task", "is", null)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await confirmKey(tx, { asn, node });
  });
}
