/**
 * Known clients: browsers that have logged in as an AS before. Attempts of strangers do not count against them.
 *
 * The browser stores the proof in a cookie, so the server has to remember nothing. The cookie is a list of entries, the
 * newest first, and each entry is an ID and its signature for one AS. It does not say which AS.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Db } from "../db/open.ts";
import type { Sealer } from "../db/secrets/sealer.ts";
import { secretPlaces } from "../db/secrets/stored-secrets.ts";

export interface KnownClients {
  /** Returns the client's ID for an AS, or null if its cookie has no valid entry for the AS. */
  find(cookie: string | null, asn: string): string | null;
  /** Returns the cookie after a login as the AS. A client that is known already keeps its ID. */
  add(cookie: string | null, asn: string): string;
}

/** AS numbers in a cookie: more than a person needs, and few enough for the size of a cookie. */
const maxEntries = 8;
const keyBytes = 32;
const place = secretPlaces.signingKey("known clients");
/** A 128-bit ID and a 256-bit signature, both in base64url. */
const entryShape = /^[A-Za-z0-9_-]{65}$/;
const idLength = 22;

export function createKnownClients(key: Uint8Array): KnownClients {
  const sign = (asn: string, id: string) =>
    createHmac("sha256", key).update(`${asn} ${id}`).digest("base64url");

  function findEntry(cookie: string | null, asn: string): string | null {
    return listEntries(cookie).find((entry) => isSigned(entry, asn)) ?? null;
  }

  function isSigned(entry: string, asn: string): boolean {
    const [id, signature] = [entry.slice(0, idLength), entry.slice(idLength)];
    return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(asn, id)));
  }

  return {
    find: (cookie, asn) => findEntry(cookie, asn)?.slice(0, idLength) ?? null,
    add(cookie, asn) {
      const id = randomBytes(16).toString("base64url");
      const entry = findEntry(cookie, asn) ?? `${id}${sign(asn, id)}`;
      const others = listEntries(cookie).filter((other) => other !== entry);
      return [entry, ...others].slice(0, maxEntries).join(".");
    },
  };
}

function listEntries(cookie: string | null): readonly string[] {
  return (cookie ?? "").split(".", maxEntries).filter((entry) => entryShape.test(entry));
}

/**
 * Opens the known clients with the key in the database, and creates the key on the first start. If several servers
 * start at once, one writes and all use its key. The key is sealed.
 */
export async function openKnownClients(db: Db, sealer: Sealer): Promise<KnownClients> {
  const key = (await readKey(db, sealer)) ?? (await createKey(db, sealer));
  return createKnownClients(Buffer.from(key, "base64url"));
}

async function readKey(db: Db, sealer: Sealer): Promise<string | null> {
  const row = await db
    .selectFrom("signing_keys")
    .select("key")
    .where("name", "=", "known clients")
    .executeTakeFirst();
  return row ? sealer.open(row.key, place) : null;
}

async function createKey(db: Db, sealer: Sealer): Promise<string> {
  const created = randomBytes(keyBytes).toString("base64url");
  await db
    .insertInto("signing_keys")
    .values({ name: "known clients", key: sealer.seal(created, place) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const key = await readKey(db, sealer);
  if (key === null) throw new Error("the signing key disappeared right after it was written");
  return key;
}
