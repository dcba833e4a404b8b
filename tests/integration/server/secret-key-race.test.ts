import pg from "pg";
import { expect, test } from "vitest";
import { createSealer } from "#server/db/secrets/sealer.ts";
import { createSecretKeyFile } from "#server/db/secrets/secret-keys.ts";
import { openSealer, secretPlaces } from "#server/db/secrets/stored-secrets.ts";
import { openPushKeys } from "#server/push/push-keys.ts";
import { createTestDatabase, openAsServer, postgresTemplate } from "../../support/databases.ts";
import { createFolder } from "#system/fixtures/create-folder.ts";

test("a server that starts beside the first one uses the key that this one creates", async () => {
  await using at = await createTestDatabase(postgresTemplate);
  await using database = await openAsServer({ kind: "postgres", url: at.url });
  const dataDir = await createFolder();
  const first = new pg.Client({ connectionString: at.url });
  await first.connect();
  await first.query("BEGIN; LOCK TABLE push_keys");
  const { db } = database;
  const opening = openSealer({ db, dataDir, secret: null, eraseDeleted: () => Promise.resolve() });
  const waiting = "SELECT count(*)::int FROM pg_locks WHERE NOT granted";
  await expect.poll(async () => (await first.query(waiting)).rows).toEqual([{ count: 1 }]);

  const sealer = createSealer(await createSecretKeyFile(dataDir));
  const sealed = sealer.seal("private", secretPlaces.pushKey("vapid"));
  await first.query("INSERT INTO push_keys VALUES ('vapid', 'public', $1)", [sealed]);
  await first.query("COMMIT");
  await first.end();

  expect(await openPushKeys(db, await opening)).toEqual({ publicKey: "public", privateKey: "private" });
});
