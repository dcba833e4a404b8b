/** Addresses whose mail server refused the last mail for good. Only the last refusal of an address is stored. */
import type { Db } from "../db/open.ts";

export interface Refusal {
  readonly recipient: string;
  /** Milliseconds since 1970. */
  readonly refusedAt: number;
}

/** As long as delivered mails are listed. */
const retentionMs = 30 * 24 * 3_600_000;
const maxReasonLength = 500;

export async function recordRefusal(
  tx: Db,
  { recipient, refusedAt, reason }: Refusal & { readonly reason: string },
): Promise<void> {
  const refusal = { refused_at: refusedAt, reason: reason.slice(0, maxReasonLength) };
  await tx
    .insertInto("mail_refusals")
    .values({ recipient, ...refusal })
    .onConflict((conflict) => conflict.column("recipient").doUpdateSet(refusal))
    .execute();
}

export async function deleteRefusal(tx: Db, recipient: string): Promise<void> {
  await tx.deleteFrom("mail_refusals").where("recipient", "=", recipient).execute();
}

export async function deleteOldRefusals(db: Db, retentionTime: number): Promise<void> {
  await db
    .deleteFrom("mail_refusals")
    .where("refused_at", "<", retentionTime - retentionMs)
    .execute();
}

/** Returns the refusals of these addresses, in their order. */
export async function findRefusals(db: Db, recipients: readonly string[]): Promise<readonly Refusal[]> {
  if (recipients.length === 0) return [];
  const rows = await db
    .selectFrom("mail_refusals")
    .select(["recipient", "refused_at as refusedAt"])
    .where("recipient", "in", recipients)
    .execute();
  return rows.toSorted((a, b) => recipients.indexOf(a.recipient) - recipients.indexOf(b.recipient));
}
