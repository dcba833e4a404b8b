/** What opening the database does to the data folder: permissions, and the copy before a migration. */
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { migrations } from "#server/db/migrate.ts";
import { type DatabaseOptions, openDatabase } from "#server/db/open.ts";
import { createTestDatabase, runSql } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { nextVersion, plantedName } from "./planted-migration.ts";

const asn = "4242420001";
const migrationNames = "SELECT name FROM kysely_migration ORDER BY name";
const presentNames = Object.keys(migrations);
const nextNames = [...presentNames, plantedName];

let dataDir: string;
let databasePath: string;

beforeEach(async () => {
  dataDir = join(await createScratchFolder(onTestFinished), "data");
  databasePath = join(dataDir, "peerdeck.sqlite");
});

/** Opens the database as a server of the next version does, and returns the messages about migrations. */
async function open(
  url: string | null = null,
  options: Partial<DatabaseOptions> = {},
): Promise<readonly string[]> {
  const messages: string[] = [];
  const database = await openDatabase({
    dataDir,
    url,
    onError: () => undefined,
    onMigration: (message) => void messages.push(message),
    migrations: nextVersion,
    ...options,
  });
  await database[Symbol.asyncDispose]();
  return messages;
}

/** Creates the tables of the present version, with an account. */
async function createPresentDatabase(url: string | null = null): Promise<void> {
  await using database = await openDatabase({ dataDir, url, onError: () => undefined });
  const account = { asn, password_hash: "hash", created_at: 0, verified_holder: "ADA-MNT", checked_at: 0 };
  await database.db.insertInto("accounts").values(account).execute();
}

function readRows(path: string, query: string): readonly unknown[] {
  using database = new DatabaseSync(path, { readOnly: true });
  return database
    .prepare(query)
    .all()
    .map((row) => Object.values(row)[0]);
}

const listCopies = () => readdir(join(dataDir, "backups"));

test("an older SQLite database is copied before its migration, and the newest five copies are kept", async () => {
  await mkdir(join(dataDir, "backups"), { recursive: true });
  const others = ["2020-01-01T00-00-00-000Z.txt", "of-the-operator.sqlite"];
  const older = [1, 2, 3, 4, 5].map((day) => `2025-01-0${day}T00-00-00-000Z-before-0001-initial.sqlite`);
  for (const name of [...others, ...older]) await writeFile(join(dataDir, "backups", name), "");
  await createPresentDatabase();

  const [message = ""] = await open();
  const copy = (await listCopies()).find((name) => ![...others, ...older].includes(name)) ?? "";
  expect(message).toBe(`The database will be migrated. Its backup is ${join(dataDir, "backups", copy)}.`);
  expect((await listCopies()).toSorted()).toEqual([...others, ...older.slice(1), copy].toSorted());
  const migrationsOf = (path: string) => readRows(path, migrationNames);
  const copyPath = join(dataDir, "backups", copy);
  expect(migrationsOf(copyPath)).toEqual(presentNames);
  expect(readRows(copyPath, "SELECT asn FROM accounts")).toEqual([asn]);
  expect(migrationsOf(databasePath)).toEqual(nextNames);

  expect(await open()).toEqual([]);
  expect(await listCopies()).toHaveLength(others.length + 5);
});

test("a database is not migrated if its copy cannot be written", async () => {
  await createPresentDatabase();
  await writeFile(join(dataDir, "backups"), "no folder");
  await expect(open()).rejects.toThrow(/cannot be written \(EEXIST: .*\)\. The database was not changed\./);
  expect(readRows(databasePath, migrationNames)).toEqual(presentNames);
});

/** Reads the first column of a PostgreSQL database's rows. */
const readPostgres = async (url: string, query: string): Promise<readonly unknown[]> =>
  (await runSql(url, query)).map((row) => Object.values(row)[0] as unknown);

test("an older PostgreSQL database is dumped before its migration, a new one is not", async () => {
  await using database = await createTestDatabase();
  await createPresentDatabase(database.url);
  const [message = ""] = await open(database.url);
  const [name = ""] = await listCopies();
  const dump = join(dataDir, "backups", name);
  expect(name).toMatch(/-before-9000-planted\.pgdump$/);
  expect(message).toBe(`The database will be migrated. Its backup is ${dump}.`);
  expect((await stat(dump)).mode & 0o777).toBe(0o600);
  expect(await readPostgres(database.url, migrationNames)).toEqual(nextNames);

  await using another = await createTestDatabase();
  expect(await open(another.url)).toEqual([]);
  expect(await listCopies()).toEqual([name]);
});

test("a PostgreSQL database is not migrated without a backup, unless the operator says so", async () => {
  await using database = await createTestDatabase();
  await createPresentDatabase(database.url);
  vi.stubEnv("PATH", dataDir);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(open(database.url)).rejects.toThrow(
    /cannot be written \(the program pg_dump is not installed\)\. The database was not changed\./,
  );
  expect(await listCopies()).toEqual([]);
  await writeFile(join(dataDir, "pg_dump"), "#!/bin/sh\necho 'server version mismatch' >&2; exit 1", {
    mode: 0o755,
  });
  await expect(open(database.url)).rejects.toThrow("(server version mismatch)");
  expect(await listCopies()).toEqual([]);
  expect(await readPostgres(database.url, migrationNames)).toEqual(presentNames);

  expect(await open(database.url, { migratesWithoutBackup: true })).toEqual([
    "The database will be migrated. No backup is made, because MIGRATE_WITHOUT_BACKUP is set.",
  ]);
  expect(await readPostgres(database.url, migrationNames)).toEqual(nextNames);
});

test("only the owner can read the data folder, the database, its log and the copies, also after others could", async () => {
  const mode = async (name: string) => ((await stat(join(dataDir, name))).mode & 0o777).toString(8);
  const files = ["peerdeck.sqlite", "agents/syd01/state.json", "backups/older.sqlite"];
  const folders = [".", "agents", "agents/syd01", "backups"];
  for (const name of folders) {
    await mkdir(join(dataDir, name), { recursive: true });
    await chmod(join(dataDir, name), 0o755);
  }
  await createPresentDatabase();
  for (const name of files) {
    await writeFile(join(dataDir, name), "", { flag: "a" });
    await chmod(join(dataDir, name), 0o644);
  }
  await using database = await openDatabase({ dataDir, url: null, onError: () => undefined });
  await database.db.deleteFrom("accounts").execute();
  for (const name of folders) expect([name, await mode(name)]).toEqual([name, "700"]);
  for (const name of [...files, "peerdeck.sqlite-wal", "peerdeck.sqlite-shm"]) {
    expect([name, await mode(name)]).toEqual([name, "600"]);
  }
});

test("a new data folder is private from the start", async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  await open();
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(databasePath)).mode & 0o777).toBe(0o600);
});

test("a folder that all users share is refused as data folder, and keeps its permissions", async () => {
  await mkdir(dataDir);
  await chmod(dataDir, 0o1777);
  await expect(open()).rejects.toThrow(`DATA_DIR ${dataDir} is shared with other users.`);
  expect((await stat(dataDir)).mode & 0o7777).toBe(0o1777);
});
