/** Databases and data folders that cannot be written, or only slowly. `/healthz` and `/readyz` say so, and when it is over. */
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createTestDatabase, postgresTemplate, runSql } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { startDemoProcess } from "./demo-process.ts";
import { logIn, signUp } from "./participant.ts";
import { patientLimits, profileServer } from "./profile-server.ts";

const asn = "4242420001";
const body = { username: asn };
const nothingSaved = {
  status: 503,
  body: { message: "The server cannot save anything right now. Nothing was changed; try again in a minute." },
};

async function readReadiness(url: string) {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: (await response.json()) as unknown };
}

const readHealth = async (url: string) => (await fetch(`${url}/healthz`)).text();

const ready = { status: 200, body: { status: "ok", checks: { database: { status: "ok" } } } };
const readOnly = { status: 200, body: { status: "degraded", checks: { database: { status: "read-only" } } } };
const trigger = (table: string) =>
  `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION fail()`;

const serverOnPostgres = (url: string) =>
  profileServer({}, { databaseLimits: patientLimits, at: { kind: "postgres", url } });

/** A check serves further callers for three seconds. */
const patient = { timeout: 20_000 };

test("with a full disk the server can be read, and says that nothing can be saved until there is space", async () => {
  const folder = await createScratchFolder(onTestFinished);
  const mount = 'mount -t tmpfs -o size=64m,mode=700 none "$DATA_DIR" && exec "$@"';
  const unshare = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh"];
  const { url, child } = await startDemoProcess({ DATA_DIR: folder, PORT: "0" }, unshare);
  onTestFinished(() => void child.kill("SIGKILL"));
  const participant = await signUp(url, asn);
  await expect.poll(() => readReadiness(url), patient).toMatchObject(ready);

  // SQLite would write into space that its `-wal` file has from before.
  const truncate = `new (require("node:sqlite").DatabaseSync)("${folder}/peerdeck.sqlite", { timeout: 5000 })
    .exec("PRAGMA wal_checkpoint(TRUNCATE)")`;
  const enter = ["-t", String(child.pid), "--user", "--mount", "--preserve-credentials"];
  await promisify(execFile)("nsenter", [...enter, process.execPath, "-e", truncate]);
  const filler = `/proc/${child.pid}/root${folder}/filler`;
  await expect(writeFile(filler, Buffer.alloc(64 * 1024 * 1024))).rejects.toThrow("ENOSPC");
  await expect.poll(() => readReadiness(url), patient).toMatchObject(readOnly);
  expect(await readReadiness(url)).toMatchObject({ body: { checks: { dataDir: { status: "warning" } } } });
  const health = await readHealth(url);
  expect(health).toContain("\nThe database cannot be written: its disk is full. Logins and changes fail.\n");
  expect(health).toContain("\nDATA_DIR cannot be written: its disk is full.");
  await expect(logIn(url, asn)).rejects.toMatchObject(nothingSaved);
  expect(await participant.call(calls.getPeeredNodes, body)).toEqual([]);

  await rm(filler);
  await expect.poll(() => readReadiness(url), patient).toMatchObject(ready);
  await expect.poll(() => readHealth(url), patient).not.toContain("cannot be written");
  await logIn(url, asn);
});

test("on PostgreSQL a full disk is named, the check needs space of it and keeps none, and its callers share it", async () => {
  await using database = await createTestDatabase(postgresTemplate);
  await using server = await serverOnPostgres(database.url);
  const participant = await signUp(server.url, asn);
  const sizes = `SELECT temp_bytes::int AS temporary, temp_files::int AS files FROM pg_stat_database WHERE datname = current_database()`;
  const tables = `SELECT sum(pg_relation_size(oid))::int AS bytes FROM pg_class WHERE relname NOT LIKE 'history%'`;
  expect(await runSql(database.url, sizes)).toEqual([{ temporary: 0, files: 0 }]);
  // The first observation has written its rows.
  const observed = `SELECT count(*)::int > 0 AS done FROM node_samples`;
  await expect.poll(() => runSql(database.url, observed), patient).toEqual([{ done: true }]);
  const before = await runSql(database.url, tables);
  await Promise.all(Array.from({ length: 50 }, () => readReadiness(server.url)));
  await expect.poll(() => runSql(database.url, sizes), patient).toMatchObject([{ files: 1 }]);
  const [{ temporary } = { temporary: 0 }] = await runSql<{ temporary: number }>(database.url, sizes);
  expect(temporary).toBeGreaterThan(200_000);
  expect(await runSql(database.url, tables)).toEqual(before);

  const full = "RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'";
  await runSql(
    database.url,
    [
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN ${full}; END$$`,
      ...["server_time", "login_sessions"].map(trigger),
    ].join(";"),
  );
  await expect.poll(() => readReadiness(server.url), patient).toMatchObject(readOnly);
  expect(await readHealth(server.url)).toBe(
    "issues\nThe database cannot be written: its disk is full. Logins and changes fail.\n",
  );
  await expect(logIn(server.url, asn)).rejects.toMatchObject(nothingSaved);
  expect(await participant.call(calls.getPeeredNodes, body)).toEqual([]);

  await runSql(database.url, "DROP FUNCTION fail CASCADE");
  await expect.poll(() => readReadiness(server.url), patient).toMatchObject(ready);
  expect(await readHealth(server.url)).toBe("ok\n");
  const changes = server.log.filter(({ msg }) => String(msg).startsWith("the database can"));
  expect(changes.map(({ msg }) => msg)).toEqual([
    "the database cannot be written",
    "the database can be written again",
  ]);
});

test("a PostgreSQL that is read-only takes the server out of service until it can be written", async () => {
  await using database = await createTestDatabase(postgresTemplate);
  await using server = await serverOnPostgres(database.url);
  const name = new URL(database.url).pathname.slice(1);
  await runSql(database.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await runSql(
    database.url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  // The server connects to no read-only PostgreSQL: after a failover, its data may be old (decision 50).
  await expect
    .poll(() => readReadiness(server.url), patient)
    .toMatchObject({
      status: 503,
      body: { status: "unavailable", checks: { database: { status: "unavailable" } } },
    });
  await expect
    .poll(() => readHealth(server.url), patient)
    .toContain("\nThe database cannot be written: it is read-only. Logins and changes fail.\n");
  const reset = `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`;
  await runSql(database.url, reset);
  await expect.poll(() => readReadiness(server.url), patient).toMatchObject(ready);
});

test("a slow disk of SQLite is named, and files are served and requests answered while a commit waits", async () => {
  let release: PromiseWithResolvers<void> | null = null;
  let delayMs = 0;
  const syncFile = async () => {
    await release?.promise;
    await sleep(delayMs);
  };
  await using server = await profileServer({}, { syncFile });
  await signUp(server.url, asn);
  release = Promise.withResolvers();
  let isLoggedIn = false;
  const login = logIn(server.url, asn).then(() => (isLoggedIn = true));
  for (const path of ["/", "/sw.js", "/api/openapi.json"])
    expect((await fetch(server.url + path)).status).toBe(200);
  expect(isLoggedIn).toBe(false);
  release.resolve();
  release = null;
  await login;

  delayMs = 450;
  await logIn(server.url, asn);
  await logIn(server.url, asn);
  const slow =
    /^issues\nThe database is slow: its last slow commit took \d\.\d s\. Logins and changes wait for its disk\.\n$/;
  expect(await readHealth(server.url)).toMatch(slow);
  expect(server.log.filter(({ msg }) => /took long/.test(String(msg)))).toHaveLength(1);
});

test("slow commits of PostgreSQL are named", async () => {
  await using database = await createTestDatabase(postgresTemplate);
  await using server = await serverOnPostgres(database.url);
  await signUp(server.url, asn);
  await runSql(
    database.url,
    `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM pg_sleep(0.45); RETURN NULL; END$$;
     CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON login_sessions DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION wait()`,
  );
  await logIn(server.url, asn);
  await logIn(server.url, asn);
  expect(await readHealth(server.url)).toContain("\nThe database is slow: its last slow commit took 0.");
});
