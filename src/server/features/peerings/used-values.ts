/**
 * Tells the operator that a participant entered a public key or a registered tunnel address that another AS uses: the AS
 * that entered it first may not be its owner, who cannot use it.
 *
 * Invariants: the refused participant does not learn which AS uses the value, so the event belongs to no AS. The audit log
 * has an event of the same ASes, node and value at most once a day, and `maxEvents` of all a day.
 */
import type { Logger } from "pino";
import type { FieldError } from "#contract/http-error.ts";
import { isLinkLocal } from "#domain/address-ranges.ts";
import type { ValidValues } from "#domain/peering/check-peer-update.ts";
import { noOrigin } from "../../audit/audit-event.ts";
import { countEvents, recordEvent } from "../../audit/record-event.ts";
import type { Db } from "../../db/open.ts";
import { listConflictsOnNode } from "./conflicts/peering-conflicts.ts";

export interface UsedValuesDeps {
  readonly db: Db;
  readonly clock: () => number;
  readonly log: Pick<Logger, "warn">;
}

export interface RefusedPeering {
  readonly asn: string;
  readonly node: string;
  readonly values: Pick<ValidValues, "publicKey" | "peerIpv4" | "peerIpv6">;
}

const kind = "value-conflict";
const dayMs = 24 * 3_600_000;
const maxEvents = 100;

const usedFields = [
  ["public_key", "publicKey", "public key"],
  ["peer_ipv4", "peerIpv4", "tunnel address"],
  ["peer_ipv6", "peerIpv6", "tunnel address"],
] as const;

/** @param errors why the peering was refused; only values that other ASes use are reported */
export async function reportUsedValues(
  deps: UsedValuesDeps,
  { asn, node, values }: RefusedPeering,
  errors: readonly FieldError[],
): Promise<void> {
  for (const [field, name, word] of usedFields) {
    const value = values[name];
    if (value === null || isLinkLocal(value) || errors.every((error) => error.field !== field)) continue;
    const user = await findUser(deps.db, { asn, node, name, value });
    if (user === null) continue;
    const shown = name === "publicKey" ? "" : ` ${value}`;
    await report(deps, node, `AS${asn} entered the ${word}${shown} of AS${user}.`);
  }
}

async function report({ db, clock, log }: UsedValuesDeps, node: string, detail: string): Promise<void> {
  const now = clock();
  const isRecorded = await db.transaction().execute(async (tx) => {
    const [same, all] = [
      await countEvents(tx, { kind, node, detail }, now - dayMs),
      await countEvents(tx, { kind }, now - dayMs),
    ];
    if (same > 0 || all >= maxEvents) return false;
    await recordEvent(tx, { kind, asn: null, node, detail }, noOrigin, now);
    return true;
  });
  if (isRecorded) log.warn({ node }, `A participant entered a value that another AS uses. ${detail}`);
}

interface UsedValue {
  readonly asn: string;
  readonly node: string;
  readonly name: "publicKey" | "peerIpv4" | "peerIpv6";
  readonly value: string;
}

/** The other AS that uses a value: a key on any node, an address on this one. Null if it is another program of the node. */
async function findUser(db: Db, { asn, node, name, value }: UsedValue): Promise<string | null> {
  const column = { publicKey: "public_key", peerIpv4: "peer_ipv4", peerIpv6: "peer_ipv6" } as const;
  const row = await db
    .selectFrom("peerings")
    .select("asn")
    .where("asn", "!=", asn)
    .where(column[name], "=", value)
    .$if(name !== "publicKey", (query) => query.where("node", "=", node))
    .limit(1)
    .executeTakeFirst();
  if (row) return row.asn;
  const onNode = await listConflictsOnNode(db, node);
  return onNode.find((each) => each.asn !== asn && each.peering?.[name] === value)?.asn ?? null;
}
