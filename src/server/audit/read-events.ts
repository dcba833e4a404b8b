import type { Selectable } from "kysely";
import type { AuditKind } from "../../domain/audit-events.ts";
import type { PeeringRequest } from "../../domain/peering/fields/peering-request.ts";
import { listPeeringChanges, type PeeringChange } from "../../domain/peering/fields/peering-changes.ts";
import type { Db } from "../db/open.ts";
import type { Schema } from "../db/schema/schema.ts";

export interface StoredEvent extends Selectable<Schema["audit_events"]> {
  readonly kind: AuditKind;
  /** The network of the client's address; null without one, or if it was deleted because of its age. */
  readonly prefix: string | null;
}

export interface EventFilter {
  /** Absent: events of every AS, and events without an AS. */
  readonly asn?: string;
  /** Only events with this ID or later ones. */
  readonly from?: string;
  /** Only events before the one with this ID. */
  readonly before?: string;
  readonly limit: number;
}

/** Reads events with their addresses, the newest first. */
export async function readEvents(
  db: Db,
  { asn, from, before, limit }: EventFilter,
): Promise<readonly StoredEvent[]> {
  return db
    .selectFrom("audit_events")
    .leftJoin("audit_addresses", "event", "id")
    .selectAll("audit_events")
    .select("prefix")
    .$if(asn !== undefined, (query) => query.where("asn", "=", asn ?? null))
    .$if(from !== undefined, (query) => query.where("id", ">=", from ?? ""))
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .$narrowType<{ kind: AuditKind }>()
    .execute();
}

/** Lists the values of a peering that an event changed. */
export function listStoredChanges({
  before,
  after,
}: Pick<StoredEvent, "before" | "after">): readonly PeeringChange[] {
  return listPeeringChanges(parseRequest(before), parseRequest(after));
}

function parseRequest(json: string | null): PeeringRequest | null {
  return json === null ? null : (JSON.parse(json) as PeeringRequest);
}
