/**
 * Writes to the audit log.
 *
 * Invariants:
 * - An event is written in the transaction of the change that it describes, so neither exists without the other.
 * - Rows are never changed. `src/server/features/activity/audit-retention.ts` deletes them when they are too old.
 * - What anyone can cause without a login is bounded (`recordPublicEvent`), so that attackers cannot fill the disk.
 */
import { randomUUID } from "node:crypto";
import type { AuditKind } from "../../domain/audit-events.ts";
import type { Db } from "../db/open.ts";
import { toAddressPrefix } from "#domain/client-key.ts";
import type { AuditEvent, AuditOrigin } from "./audit-event.ts";

let written = 0;

/** Records an event within the caller's transaction. Returns its ID. */
export async function recordEvent(
  tx: Db,
  event: AuditEvent,
  origin: AuditOrigin,
  now: number,
): Promise<string> {
  written = (written + 1) % 1_000_000_000;
  // Sorts by time, and within a millisecond by the order of this server.
  const id = [toIdTime(now), String(written).padStart(9, "0"), randomUUID()].join("-");
  await tx
    .insertInto("audit_events")
    .values({
      id,
      at: now,
      kind: event.kind,
      asn: event.asn,
      node: event.node ?? null,
      task: event.task ?? null,
      before: event.before ? JSON.stringify(event.before) : null,
      after: event.after ? JSON.stringify(event.after) : null,
      detail: event.detail ?? null,
      login_session: origin.loginSession,
      api_token: origin.apiToken,
      request: origin.requestId,
    })
    .execute();
  const prefix = toAddressPrefix(origin.clientAddress);
  if (prefix !== null) await tx.insertInto("audit_addresses").values({ event: id, prefix }).execute();
  return id;
}

/** The start of the IDs of events at a time. */
export function toIdTime(at: number): string {
  return String(Math.max(0, at)).padStart(14, "0");
}

const hourMs = 3_600_000;
const anHour = { ms: hourMs, name: "an hour" };
const aDay = { ms: 24 * hourMs, name: "a day" };

/** For each kind and AS, from one network and from all of them. */
const perNetwork = { max: 5, within: anHour };
const perAs = { max: 40, within: aDay };
/** For each kind and all AS numbers without an account together: anyone can make them up. */
const withoutAccount = { max: 100, within: anHour };

/**
 * Records an event that anyone can cause without a login, such as a failed login. Beyond a limit nothing is recorded,
 * and the last event before it says so.
 *
 * @param hasAccount whether the event's AS has an account
 */
export async function recordPublicEvent(
  tx: Db,
  { hasAccount, ...event }: AuditEvent & { readonly hasAccount: boolean },
  origin: AuditOrigin,
  now: number,
): Promise<void> {
  const { kind, asn } = event;
  const prefix = toAddressPrefix(origin.clientAddress);
  const limits = [
    { ...perNetwork, scope: { kind, asn, prefix } },
    { ...perAs, scope: { kind, asn } },
    ...(hasAccount ? [] : [{ ...withoutAccount, scope: { kind } }]),
  ];
  let detail = event.detail;
  for (const { max, within, scope } of limits) {
    const count = await countEvents(tx, scope, now - within.ms);
    if (count >= max) return;
    if (count === max - 1) detail = `Further ones are not recorded for up to ${within.name}.`;
  }
  await recordEvent(tx, detail === undefined ? event : { ...event, detail }, origin, now);
}

export interface EventScope {
  readonly kind: AuditKind;
  readonly asn?: string | null;
  readonly prefix?: string | null;
  readonly node?: string;
  readonly detail?: string;
}

/** Counts the events of this kind since a time, and of this AS, network, node and text where they are given. */
export async function countEvents(tx: Db, scope: EventScope, since: number): Promise<number> {
  const { kind, asn, prefix, node, detail } = scope;
  let query = tx
    .selectFrom("audit_events")
    .leftJoin("audit_addresses", "event", "id")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("id", ">", toIdTime(since))
    .where("kind", "=", kind);
  if (asn !== undefined) query = query.where("asn", asn === null ? "is" : "=", asn);
  if (prefix !== undefined) query = query.where("prefix", prefix === null ? "is" : "=", prefix);
  if (node !== undefined) query = query.where("node", "=", node);
  if (detail !== undefined) query = query.where("detail", "=", detail);
  const { count } = await query.executeTakeFirstOrThrow();
  return Number(count);
}
