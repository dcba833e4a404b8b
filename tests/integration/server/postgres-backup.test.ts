/** Backup and restore of a server whose database is in PostgreSQL. */
import { access, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openIdentity } from "#mtls/tls-identity.ts";
import { ConfigError } from "#system/config/config-error.ts";
import { runBackupCommand } from "#cli/backup-commands.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { createSecretKeyFile } from "#server/db/secrets/secret-keys.ts";
import {
  createTestDatabase,
  openAsServer,
  type PostgresTestDatabase,
  postgresTemplate,
  runSql,
} from "../../support/databases.ts";
import { oneOfCommit } from "../../support/share-of-commit.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";

const parts = new AsyncDisposableStack();
let source: PostgresTestDatabase;
let sourceDir: string;
/** A backup of `source`, which was made while a server had it open. */
let backup: string;
let folder: string;

const createFolder = () => createScratchFolder((remove) => parts.defer(remove));

/** Runs a command, and returns what it printed, or the sentence with which it refused. */
async function run(
  name: "backup" | "restore",
  file: string,
  url: string,
  dataDir: string,
  options: readonly string[] = [],
): Promise<string> {
  const printed: string[] = [];
  const environment = readEnvironment({
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    PEERDECK_CONFIG: join(sourceDir, "provider.toml"),
  });
  const running = runBackupCommand(name, [...options, file], environment, (text) => void printed.push(text));
  return await running.then(
    () => printed.join("\n"),
    (error: unknown) => {
      if (error instanceof ConfigError) return error.message;
      throw error;
    },
  );
}

async function listAccounts(url: string) {
  await using database = await openAsServer({ kind: "postgres", url });
  return await database.db.selectFrom("accounts").select("asn").execute();
}

beforeAll(async () => {
  source = parts.use(await createTestDatabase(postgresTemplate));
  sourceDir = await createFolder();
  await openIdentity(join(sourceDir, "identity"), "test");
  await createSecretKeyFile(sourceDir);
  await writeFile(join(sourceDir, "provider.toml"), "name = 'Test'");
  backup = join(await createFolder(), "peerdeck.tar.gz");
  await using server = await openAsServer({ kind: "postgres", url: source.url });
  const account = { password_hash: "hash", created_at: 1, verified_holder: "ADA-MNT", checked_at: 0 };
  await server.db
    .insertInto("accounts")
    .values({ asn: "4242420001", ...account })
    .execute();
  expect(await run("backup", backup, source.url, sourceDir)).toContain(`${backup}: the database, `);
});
afterAll(() => parts.disposeAsync());

beforeEach(async () => {
  folder = join(await createFolder(), "data");
});

test("a backup of a database in use is restored into an empty one, with the files", async () => {
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  await using empty = await createTestDatabase();
  const printed = await run("restore", backup, empty.url, folder);
  expect(printed).toContain(`to ${folder} and to the database of DATABASE_URL.`);
  expect(await listAccounts(empty.url)).toEqual([{ asn: "4242420001" }]);
  expect((await readdir(folder)).toSorted()).toEqual([
    "identity",
    "provider.toml",
    "restored.json",
    "secret.key",
    "server.lock",
  ]);
  const key = join("identity", "identity.pem");
  expect(await readFile(join(folder, key), "utf8")).toBe(await readFile(join(sourceDir, key), "utf8"));
});

test("a restore into a database with tables is refused, and changes neither it nor the folder", async () => {
  await using used = await createTestDatabase(postgresTemplate);
  expect(await run("restore", backup, used.url, folder)).toMatch(
    /^The database of DATABASE_URL is not empty: it has the tables account_blocks, .* and \d+ more\. Nothing was changed\. Create an empty database, /,
  );
  expect(await listAccounts(used.url)).toEqual([]);
  await expect(access(folder)).rejects.toThrow("ENOENT");
});

test("a user without special rights replaces what its schema contains, and other schemas stay", async () => {
  await using database = await createTestDatabase();
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  await runSql(
    url.href,
    `create role ${name} login password 'secret'; create schema app authorization ${name};
     alter role ${name} set search_path = app; grant create on database ${name} to ${name}`,
  );
  onTestFinished(async () => void (await runSql(source.url, `drop role ${name}`)));
  [url.username, url.password] = [name, "secret"];
  await (await openAsServer({ kind: "postgres", url: url.href }))[Symbol.asyncDispose]();
  await runSql(url.href, "create schema other; create table other.rows as select 1 as id");
  const file = `${folder}.tar.gz`;
  expect(await run("backup", file, url.href, sourceDir)).toContain("the database");
  await runSql(
    url.href,
    `create type mood as enum ('new'); create table later (asn text references accounts (asn), mood mood);
     create view views as select * from later; create sequence numbers; insert into other.rows values (2);
     create function add(a integer) returns integer language sql as 'select a'`,
  );
  const restored = await run("restore", file, url.href, folder, ["--replace-database", name]);
  expect(restored).toContain(`The previous data is in ${folder}/replaced-`);
  const left =
    "select 1 from pg_class where relname ~ '^(later|views|numbers)$' and relnamespace = 'app'::regnamespace";
  expect(await runSql(url.href, `${left} union all select 2 from pg_type where typname = 'mood'`)).toEqual(
    [],
  );
  expect(await runSql(url.href, "select id from other.rows order by id")).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await listAccounts(url.href)).toEqual([]);
});

test("a restore that fails within the database leaves it empty and the folder as it was", async () => {
  await using blocked = await createTestDatabase();
  await runSql(blocked.url, "create view tasks as select 1 as id");
  expect(await run("restore", backup, blocked.url, folder)).toMatch(
    /^The database of .* cannot be restored: .*relation "tasks" already exists.* Nothing was changed\.$/,
  );
  await runSql(blocked.url, "drop view tasks");
  expect(await readdir(folder)).toEqual(["server.lock"]);
  expect(await run("restore", backup, blocked.url, folder)).toContain("Restored the backup of ");
});

const unusable = [
  ["a newer version", "insert into kysely_migration values ('9999-later', '')", "by a newer version"],
  [
    "an older version",
    "delete from kysely_migration; insert into kysely_migration values ('0000-earlier', '')",
    "by an older version",
  ],
  ["another program", "drop table kysely_migration", "its database is not one of Peerdeck"],
] as const;

test.each(oneOfCommit(unusable))("a dump of the database of %s is refused", async (_, change, reason) => {
  await using other = await createTestDatabase(postgresTemplate);
  await runSql(other.url, change);
  const file = `${folder}.tar.gz`;
  await run("backup", file, other.url, sourceDir);
  await using empty = await createTestDatabase();
  const refused = await run("restore", file, empty.url, folder);
  expect(refused).toContain(reason);
  expect(refused).toContain("Nothing was changed.");
  await expect(access(folder)).rejects.toThrow("ENOENT");
  expect(await listAccounts(empty.url)).toEqual([]);
});

test("the kind of the backup must be that of DATABASE_URL", async () => {
  expect(await run("restore", backup, "", folder)).toContain(
    "is from a server with PostgreSQL, but DATABASE_URL is not set. Nothing was changed.",
  );
  await using sqlite = await openAsServer({ kind: "sqlite", dataDir: sourceDir });
  const file = `${folder}.tar.gz`;
  expect(await run("backup", file, "", sourceDir)).toContain("the database");
  await sqlite[Symbol.asyncDispose]();
  await using empty = await createTestDatabase();
  expect(await run("restore", file, empty.url, folder)).toContain(
    "contains an SQLite database, but DATABASE_URL is set. Nothing was changed.",
  );
});

test("without pg_dump no backup is made", async () => {
  await mkdir(folder);
  vi.stubEnv("PATH", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await run("backup", join(folder, "new.tar.gz"), source.url, sourceDir)).toBe(
    "The database of DATABASE_URL cannot be copied: the program pg_dump is not installed. No backup was made.",
  );
  expect(await readdir(folder)).toEqual([]);
});
