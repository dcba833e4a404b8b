import webPush from "web-push";
import type { Db } from "../db/open.ts";
import type { Sealer } from "../db/secrets/sealer.ts";
import { secretPlaces } from "../db/secrets/stored-secrets.ts";

const place = secretPlaces.pushKey("vapid");

/** The key pair that identifies the server to push services (VAPID, RFC 8292); base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * Returns the keys from the database and creates them on the first start. If several servers start at once, one
 * writes and all return its keys. The private key is sealed.
 */
export async function openPushKeys(db: Db, sealer: Sealer): Promise<PushKeys> {
  const stored = await readKeys(db, sealer);
  if (stored) return stored;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const sealed = sealer.seal(privateKey, place);
  await db
    .insertInto("push_keys")
    .values({ name: "vapid", public_key: publicKey, private_key: sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const written = await readKeys(db, sealer);
  if (!written) throw new Error("the push keys disappeared right after they were written");
  return written;
}

async function readKeys(db: Db, sealer: Sealer): Promise<PushKeys | null> {
  const row = await db
    .selectFrom("push_keys")
    .select(["public_key as publicKey", "private_key as privateKey"])
    .where("name", "=", "vapid")
    .executeTakeFirst();
  return row ? { ...row, privateKey: sealer.open(row.privateKey, place) } : null;
}
