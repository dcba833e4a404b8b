import { maxSessionChanges, type SessionChange } from "#contract/history.ts";
import { changeRetentionMs } from "../../agents/session-states.ts";
import type { Db } from "../../db/open.ts";
import { findSessionStates } from "../peerings/observed/sessions.ts";

/** The changes of the AS's sessions in the last seven days, newest first. */
export async function readSessionChanges(
  db: Db,
  asn: string,
  now: number,
): Promise<{ readonly changes: SessionChange[] }> {
  const states = await findSessionStates(db, asn);
  const changes = Array.from(states).flatMap(([node, sessions]) =>
    sessions.flatMap(({ families, changes: own }) =>
      own.map(([at, up]) => ({ node, families: [...families], at, up })),
    ),
  );
  return {
    changes: changes
      .filter(({ at }) => at >= now - changeRetentionMs)
      .toSorted((a, b) => b.at - a.at)
      .slice(0, maxSessionChanges),
  };
}
