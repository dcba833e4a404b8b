/** Stores since when the sessions of peerings are up or not. A peering of which nothing has changed is not written. */
import type { Insertable } from "kysely";
import type { ObservedPeering } from "#contract/agent.ts";
import { nextSessionStates, type SessionState, withoutExpired } from "../../agents/session-states.ts";
import { splitIntoBatches } from "../../db/batches.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema/schema.ts";
import { peeringKey } from "../peerings/peering-key.ts";
import { parseSessionStates } from "../peerings/stored-sessions.ts";

export interface RecordedPeering {
  readonly asn: string;
  readonly node: string;
  /** `SessionState[]` as JSON; null if nothing is stored. */
  readonly sessions: string | null;
}

export type SessionStatesRow = Insertable<Schema["session_states"]>;

interface Times {
  readonly at: number;
  readonly retentionTime: number;
}

/**
 * Returns the row of a peering that has to be written; nothing if it is stored like this.
 *
 * @param observed undefined if the node did not respond, or does not run the peering
 */
export function changedSessionStates(
  { asn, node, sessions: stored }: RecordedPeering,
  observed: ObservedPeering | undefined,
  { at, retentionTime }: Times,
): readonly SessionStatesRow[] {
  const before: readonly SessionState[] = stored === null ? [] : parseSessionStates(stored);
  const next = observed ? nextSessionStates(before, observed.sessions, at) : before;
  const sessions = JSON.stringify(withoutExpired(next, retentionTime));
  return sessions === (stored ?? "[]") ? [] : [{ asn, node, sessions }];
}

/** Writes rows of peerings that still exist. */
export async function storeSessionStates(tx: Db, changed: readonly SessionStatesRow[]): Promise<void> {
  for (const rows of splitIntoBatches(changed)) {
    const asns = [...new Set(rows.map(({ asn }) => asn))];
    const existing = await tx
      .selectFrom("peerings")
      .select(["asn", "node"])
      .where("asn", "in", asns)
      .execute();
    const keys = new Set(existing.map(peeringKey));
    const written = rows.filter((row) => keys.has(peeringKey(row)));
    if (written.length === 0) continue;
    await tx
      .insertInto("session_states")
      .values(written)
      .onConflict((conflict) =>
        conflict.columns(["asn", "node"]).doUpdateSet((row) => ({ sessions: row.ref("excluded.sessions") })),
      )
      .execute();
  }
}
