import webPush from "web-push";
import type { Db } from "../db/open.ts";

/** The key pair that identifies the server to push services (VAPID, RFC 8292); base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * Returns the keys from the database and creates them on the first start. If several servers start at once, one
 * writes and all return its keys.
 */
export async function openPushKeys(db: Db): Promise<PushKeys> {
  const stored = await readKeys(db);
  if (stored) return stored;
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
