/** Stores since when the sessions of peerings are up or not. A peering of which nothing has changed is not written. */
import type { Insertable } from "kysely";
import type { ObservedPeering } from "#contract/agent.ts";
import { nextSessionStates, type SessionState, withoutExpired } from "../../agents/session-states.ts";
import { createBulkInsert } from "../../db/bulk/bulk-insert.ts";
import type { Schema } from "../../db/schema/schema.ts";
import { parseSessionStates } from "../peerings/observed/sessions.ts";

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
  const kept = withoutExpired(next, retentionTime);
  if (kept === before) return [];
  const sessions = JSON.stringify(kept);
  return sessions === (stored ?? "[]") ? [] : [{ asn, node, sessions }];
}

export const storeSessionStates = createBulkInsert<SessionStatesRow>(
  ["asn", "node", "sessions"],
  (db, rows) =>
    db
      .insertInto("session_states")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["asn", "node"]).doUpdateSet((row) => ({ sessions: row.ref("excluded.sessions") })),
      ),
);
