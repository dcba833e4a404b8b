import webPush from "web-push";
import type { Db } from "../../db/open.ts";

/** What push services know the server by (VAPID, RFC 8292); base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The keys kept in the database; made on the first start. Of several servers that start at once one writes,
 * and all answer what it wrote.
 */
export async function openPushKeys(db: Db): Promise<PushKeys> {
  const kept = await readKeys(db);
  if (kept) return kept;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await db
    .insertInto("push_keys")
    .values({ name: "vapid", public_key: publicKey, private_key: privateKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const written = await readKeys(db);
  if (!written) throw new Error("the push keys disappeared right after they were written");
  return written;
}

async function readKeys(db: Db): Promise<PushKeys | null> {
  const row = await db
    .selectFrom("push_keys")
    .select(["public_key as publicKey", "private_key as privateKey"])
    .where("name", "=", "vapid")
    .executeTakeFirst();
  return row ?? null;
}
