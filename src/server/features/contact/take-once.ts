import { createHash } from "node:crypto";
import type { Db } from "../../db/open.ts";

/** Whoever got no answer and submits again within this time has written one message, not two. */
const sameMessageMs = 15 * 60_000;

/**
 * Whether a message is new: false where the same text was taken less than 15 minutes ago, by whichever server.
 *
 * Takes it within the caller's transaction. Of two transactions with the same text the later waits for the
 * earlier one's end, and takes the message itself where that one was rolled back.
 */
export async function takeOnce(tx: Db, text: string, now: number): Promise<boolean> {
  const hash = createHash("sha256").update(text).digest("base64url");
  await tx
    .deleteFrom("contact_messages")
    .where("taken_at", "<=", now - sameMessageMs)
    .execute();
  const taken = await tx
    .insertInto("contact_messages")
    .values({ hash, taken_at: now })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .returning("hash")
    .executeTakeFirst();
  return taken !== undefined;
}
