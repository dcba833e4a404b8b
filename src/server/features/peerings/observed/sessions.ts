/** The session states of peerings in the database. The observer writes them (`src/server/features/observations`). */
import type { SessionState } from "#server/agents/session-states.ts";
import type { Db } from "#server/db/open.ts";

/** The session states of every peering of the AS, by node. */
export async function findSessionStates(
  db: Db,
  asn: string,
): Promise<ReadonlyMap<string, readonly SessionState[]>> {
  const rows = await db
    .selectFrom("session_states")
    .select(["node", "sessions"])
    .where("asn", "=", asn)
    .execute();
  return new Map(rows.map(({ node, sessions }) => [node, parseSessionStates(sessions)]));
}

/** The session states of one peering. */
export async function findSessionStatesOf(
  db: Db,
  asn: string,
  node: string,
): Promise<readonly SessionState[]> {
  const row = await db
    .selectFrom("session_states")
    .select("sessions")
    .where("asn", "=", asn)
    .where("node", "=", node)
    .executeTakeFirst();
  return row ? parseSessionStates(row.sessions) : [];
}

export function parseSessionStates(text: string): SessionState[] {
  return JSON.parse(text) as SessionState[];
}

/** Deletes the session states of the AS on the node, or on every node. */
export async function deleteSessionStates(tx: Db, asn: string, node: string | null): Promise<void> {
  const rows = tx.deleteFrom("session_states").where("asn", "=", asn);
  await (node === null ? rows : rows.where("node", "=", node)).execute();
}
