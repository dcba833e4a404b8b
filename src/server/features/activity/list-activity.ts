import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { type AuditKind, describeAuditEvent, isSuspect } from "#domain/audit-events.ts";
import { listStoredChanges, readEvents, type StoredEvent } from "../../audit/read-events.ts";
import type { Db } from "../../db/open.ts";
import { readTaskOutcomes } from "./task-outcomes.ts";

export interface ActivityQuery {
  readonly asn: string;
  /** The ID of an entry: only older ones are listed. Null: from the newest. */
  readonly before: string | null;
  /** `toLoginSessionId` of the reader. */
  readonly loginSession: string | null;
  /** Returns the host name of a node. */
  readonly toHost: (node: string) => string;
}

const pageSize = 50;

/** After these events the account belongs to another person, who must not see what was before. */
const newHolderKinds: readonly AuditKind[] = ["account-released", "account-deleted"];

/**
 * Lists the events of an AS, the newest first. `next` is null if there are no older ones. A change and the end of its
 * deployment are one entry.
 */
export async function listActivity(
  db: Db,
  { asn, before, loginSession, toHost }: ActivityQuery,
): Promise<{ entries: ActivityEntry[]; next: string | null }> {
  const { since } = await db
    .selectFrom("audit_events")
    .select(({ fn }) => fn.max("id").as("since"))
    .where("asn", "=", asn)
    .where("kind", "in", newHolderKinds)
    .executeTakeFirstOrThrow();
  const rows = await readEvents(db, {
    asn,
    ...(since !== null && { from: since }),
    ...(before !== null && { before }),
    limit: pageSize + 1,
  });
  const shown = rows.slice(0, pageSize);
  const outcomes = await readTaskOutcomes(db, asn, shown, since);
  return {
    entries: shown
      .filter((row) => !outcomes.isShownWithChange(row))
      .map((row) => present(row, outcomes.outcomeOf(row), { loginSession, toHost })),
    next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
  };
}

function present(
  row: StoredEvent,
  outcome: ActivityEntry["outcome"],
  { loginSession, toHost }: Pick<ActivityQuery, "loginSession" | "toHost">,
): ActivityEntry {
  const { id, at, kind, asn, node, prefix } = row;
  const changes = listStoredChanges(row);
  const host = node === null ? "" : toHost(node);
  return {
    id,
    at,
    kind,
    node,
    text: describeAuditEvent(
      {
        kind,
        asn,
        host,
        changes,
        detail: row.detail ?? "",
        apiToken: row.api_token,
        hasFailed: outcome?.state === "failed",
      },
      "participant",
    ),
    changes: [...changes],
    network: prefix,
    own: loginSession !== null && row.login_session === loginSession,
    suspect: isSuspect(kind),
    ...(outcome && { outcome }),
  };
}
