/** The secrets in the database that are sealed: private keys, secrets of nodes that may join, and texts of mails that wait, with the links in them. */
import type { Db } from "../open.ts";
import { createSecretKeyFile, readSecretKeys, SecretKeyError } from "./secret-keys.ts";
import { createSealer, readKeyId, type Sealer } from "./sealer.ts";

/** The place of each secret, by the key of its row. */
export const secretPlaces = {
  pushKey: (name: string) => `push_keys.private_key ${name}`,
  signingKey: (name: string) => `signing_keys.key ${name}`,
  mailText: (id: string) => `outbox.body ${id}`,
  joinSecret: (token: string) => `node_joins.secret ${token}`,
  /** In `peerings.peering` and in `tasks.previous`. */
  presharedKey: (asn: string, node: string) => `peerings.peering ${asn} ${node}`,
};

export interface SecretsOptions {
  readonly db: Db;
  /** Overwrites what was deleted or replaced, as far as the database can. */
  readonly eraseDeleted: () => Promise<void>;
  /** The folder of `secret.key`. */
  readonly dataDir: string;
  /** The value of `PEERDECK_SECRET`; null: only the file is used. */
  readonly secret: string | null;
}

/**
 * Returns the sealer with the keys of the server, and creates the file of the key at the first start. Secrets that are
 * sealed with a previous key are sealed with the first one.
 *
 * @throws {SecretKeyError} if the keys do not open the secrets in the database; nothing is changed then
 */
export async function openSealer(options: SecretsOptions): Promise<Sealer> {
  const { db, dataDir, secret, eraseDeleted } = options;
  // Before the keys: another server that starts on the same folder creates the key before it seals anything with it.
  const secrets = await listSecrets(db);
  let keys = await readSecretKeys(dataDir, secret);
  assertKeysFit(secrets, dataDir, keys);
  if (keys.length === 0) keys = await createSecretKeyFile(dataDir);
  const sealer = createSealer(keys);
  if (await sealSecrets(db, sealer)) await eraseDeleted();
  // Another server may have sealed them with another key meanwhile.
  assertKeysFit(await listSecrets(db), dataDir, keys);
  return sealer;
}

/** A sealed pre-shared key in JSON (`SealedKey` of the peerings). */
const containsKey = '%"sealed":"sealed:%';

function sealedIn(json: string): string {
  return /"sealed":"(sealed:[^"]+)"/.exec(json)?.[1] ?? "";
}

interface StoredSecret {
  readonly value: string;
  readonly place: string;
  /** Replaces the value, unless it was changed meanwhile. */
  readonly replace: (sealed: string) => Promise<unknown>;
}

async function listSecrets(db: Db): Promise<readonly StoredSecret[]> {
  const [pushKeys, signingKeys, mails, joins, peerings, tasks] = await Promise.all([
    db.selectFrom("push_keys").select(["name", "private_key as value"]).execute(),
    db.selectFrom("signing_keys").select(["name", "key as value"]).execute(),
    db.selectFrom("outbox").select(["id", "body as value"]).where("body", "!=", "").execute(),
    db.selectFrom("node_joins").select(["token", "secret as value"]).execute(),
    db
      .selectFrom("peerings")
      .select(["asn", "node", "peering"])
      .where("peering", "like", containsKey)
      .execute(),
    db
      .selectFrom("tasks")
      .select(["id", "asn", "node", "previous"])
      .where("previous", "like", containsKey)
      .execute(),
  ]);
  return [
    ...peerings.map(({ asn, node, peering }) => ({
      value: sealedIn(peering),
      place: secretPlaces.presharedKey(asn, node),
      replace: (sealed: string) =>
        db
          .updateTable("peerings")
          .set({ peering: peering.replace(sealedIn(peering), sealed) })
          .where("asn", "=", asn)
          .where("node", "=", node)
          .where("peering", "=", peering)
          .execute(),
    })),
    ...tasks.map(({ id, asn, node, previous }) => ({
      value: sealedIn(previous ?? ""),
      place: secretPlaces.presharedKey(asn, node),
      replace: (sealed: string) =>
        db
          .updateTable("tasks")
          .set({ previous: (previous ?? "").replace(sealedIn(previous ?? ""), sealed) })
          .where("id", "=", id)
          .execute(),
    })),
    ...pushKeys.map(({ name, value }) => ({
      value,
      place: secretPlaces.pushKey(name),
      replace: (private_key: string) =>
        db
          .updateTable("push_keys")
          .set({ private_key })
          .where("name", "=", name)
          .where("private_key", "=", value)
          .execute(),
    })),
    ...signingKeys.map(({ name, value }) => ({
      value,
      place: secretPlaces.signingKey(name),
      replace: (key: string) =>
        db
          .updateTable("signing_keys")
          .set({ key })
          .where("name", "=", name)
          .where("key", "=", value)
          .execute(),
    })),
    ...mails.map(({ id, value }) => ({
      value,
      place: secretPlaces.mailText(id),
      replace: (body: string) =>
        db.updateTable("outbox").set({ body }).where("id", "=", id).where("body", "=", value).execute(),
    })),
    ...joins.map(({ token, value }) => ({
      value,
      place: secretPlaces.joinSecret(token),
      replace: (secret: string) =>
        db
          .updateTable("node_joins")
          .set({ secret })
          .where("token", "=", token)
          .where("secret", "=", value)
          .execute(),
    })),
  ];
}

/** Returns whether something was sealed. */
async function sealSecrets(db: Db, sealer: Sealer): Promise<boolean> {
  const others = (await listSecrets(db)).filter(({ value }) => !sealer.isCurrent(value));
  for (const { value, place, replace } of others) {
    if (sealer.canOpen(value)) await replace(sealer.seal(sealer.open(value, place), place));
  }
  return others.length > 0;
}

function assertKeysFit(secrets: readonly StoredSecret[], dataDir: string, keys: readonly Buffer[]): void {
  const closed = secrets.find(({ value }) => !canOpen(keys, value));
  if (!closed) return;
  const id = readKeyId(closed.value);
  if (id === null) {
    throw new SecretKeyError(
      `The value of ${closed.place} in the database is not sealed. Nothing was changed. Restore a backup, or run: ` +
        "peerdeck reset-secrets",
    );
  }
  throw new SecretKeyError(
    `The secrets in the database are sealed with the key ${id}, which is neither in ` +
      `PEERDECK_SECRET nor in ${dataDir}/secret.key. Nothing was changed. Copy secret.key from the server that shares the ` +
      "database, or from the backup of this one. If the key is lost, run: peerdeck reset-secrets",
  );
}

function canOpen(keys: readonly Buffer[], value: string): boolean {
  return keys.length > 0 && createSealer(keys).canOpen(value);
}

/** How many secrets the server's keys do not open. */
export interface LostSecrets {
  /** Whether the keys of push messages are lost, and with them all subscriptions. */
  readonly pushKeys: boolean;
  readonly subscriptions: number;
  readonly knownClients: boolean;
  readonly mails: number;
  readonly joins: number;
  /** The number of pre-shared keys. The nodes still have them. */
  readonly presharedKeys: number;
}

/** Returns what the keys do not open. Throws `SecretKeyError` if a key is invalid. */
export async function findLostSecrets({
  db,
  dataDir,
  secret,
}: Omit<SecretsOptions, "eraseDeleted">): Promise<LostSecrets> {
  const places = await listLostPlaces(db, await readSecretKeys(dataDir, secret));
  const pushKeys = places.some((place) => place.startsWith("push_keys."));
  const { subscriptions } = await db
    .selectFrom("push_subscriptions")
    .select(({ fn }) => fn.countAll<number | string>().as("subscriptions"))
    .executeTakeFirstOrThrow();
  return {
    pushKeys,
    subscriptions: pushKeys ? Number(subscriptions) : 0,
    knownClients: places.some((place) => place.startsWith("signing_keys.")),
    mails: places.filter((place) => place.startsWith("outbox.")).length,
    joins: places.filter((place) => place.startsWith("node_joins.")).length,
    presharedKeys: new Set(places.filter((place) => place.startsWith("peerings."))).size,
  };
}

async function listLostPlaces(db: Db, keys: readonly Buffer[]): Promise<readonly string[]> {
  const secrets = await listSecrets(db);
  return secrets.filter(({ value }) => !canOpen(keys, value)).map(({ place }) => place);
}

/** The node has the key of a peering that the database has lost: an edit must not remove it unnoticed. */
async function loseKey(tx: Db, place: string): Promise<void> {
  const [, asn = "", node = ""] = place.split(" ");
  const row = await tx
    .selectFrom("peerings")
    .select(["request", "peering"])
    .where("asn", "=", asn)
    .where("node", "=", node)
    .executeTakeFirst();
  if (row) {
    const { presharedKey: _lost, ...peering } = JSON.parse(row.peering) as Record<string, unknown>;
    const request = { ...(JSON.parse(row.request) as Record<string, unknown>), presharedKey: "unknown" };
    await tx
      .updateTable("peerings")
      .set({ request: JSON.stringify(request), peering: JSON.stringify(peering) })
      .where("asn", "=", asn)
      .where("node", "=", node)
      .execute();
  }
  const tasks = await tx
    .selectFrom("tasks")
    .select(["id", "previous"])
    .where("asn", "=", asn)
    .where("node", "=", node)
    .where("previous", "like", containsKey)
    .execute();
  for (const { id, previous } of tasks) {
    const before = JSON.parse(previous ?? "null") as { request: object; peering: object };
    const { presharedKey: _lost, ...peering } = before.peering as Record<string, unknown>;
    const restored = { ...before, request: { ...before.request, presharedKey: "unknown" }, peering };
    await tx
      .updateTable("tasks")
      .set({ previous: JSON.stringify(restored) })
      .where("id", "=", id)
      .execute();
  }
}

/** Deletes what the keys do not open, in one transaction. The next start creates new keys. */
export async function deleteLostSecrets(
  { db, dataDir, secret }: Omit<SecretsOptions, "eraseDeleted">,
  onDeleted: (tx: Db) => Promise<unknown>,
): Promise<void> {
  const keys = await readSecretKeys(dataDir, secret);
  await db.transaction().execute(async (tx) => {
    const places = await listLostPlaces(tx, keys);
    if (places.some((place) => place.startsWith("push_keys."))) {
      // Push services accept messages for a subscription only with the keys that it was made for.
      await tx.deleteFrom("push_subscriptions").execute();
      await tx.deleteFrom("push_keys").execute();
    }
    for (const place of places.filter((name) => name.startsWith("peerings."))) await loseKey(tx, place);
    if (places.some((place) => place.startsWith("signing_keys.")))
      await tx.deleteFrom("signing_keys").execute();
    const keysOf = (table: string) =>
      places.filter((place) => place.startsWith(`${table}.`)).map((place) => place.split(" ")[1] ?? "");
    const mails = keysOf("outbox");
    if (mails.length > 0) await tx.deleteFrom("outbox").where("id", "in", mails).execute();
    for (const token of keysOf("node_joins"))
      await tx.deleteFrom("node_joins").where("token", "=", token).execute();
    await onDeleted(tx);
  });
}
