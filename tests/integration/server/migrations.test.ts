/** A database of another version: migrated forward, or refused and left as it is. */
import { execFile } from "node:child_process";
import { copyFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { type Kysely, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { DatabaseVersionError } from "#server/db/database-version.ts";
import { type Migrations, migrations } from "#server/db/migrate.ts";
import { type Database, openDatabase } from "#server/db/open.ts";
import { findTraffic } from "#server/features/peerings/observed/traffic.ts";
import { describeWithDatabase, runSql, type TestDatabase } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { shareOfCommit } from "../../support/share-of-commit.ts";
import { nextVersion, plantedName } from "./planted-migration.ts";

const asn = "4242420001";
const account = { asn, password_hash: "hash", created_at: 1, verified_holder: "ADA-MNT", checked_at: 2 };

const newer = `The database was not changed, because a newer version of Peerdeck has migrated it (${plantedName}): start that version, or restore a backup that this version has made.`;
const older =
  "The database was not changed, because it is from an older version of Peerdeck that this one cannot migrate: start the version that has made it, or set DATA_DIR or DATABASE_URL to an empty database.";

/** Opens the database as a server with these migrations does. */
function open(at: TestDatabase, known?: Migrations): Promise<Database> {
  return openDatabase({
    ...(at.kind === "sqlite" ? { dataDir: at.dataDir, url: null } : { dataDir: "", url: at.url }),
    onError: () => undefined,
    migratesWithoutBackup: true,
    ...(known && { migrations: known }),
  });
}

async function close(opened: Database): Promise<void> {
  await opened[Symbol.asyncDispose]();
}

async function readNames({ db }: Database): Promise<readonly unknown[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Every byte of a SQLite database, or a dump of a PostgreSQL database. */
async function readBytes(at: TestDatabase): Promise<string> {
  if (at.kind === "postgres") {
    const { stdout } = await promisify(execFile)("pg_dump", [`--dbname=${at.url}`]);
    // PostgreSQL 17.6 and later write a random word into each dump.
    return stdout.replaceAll(/^\\(un)?restrict .*$/gm, "");
  }
  const files = ["peerdeck.sqlite", "peerdeck.sqlite-wal"].map((name) =>
    readFile(join(at.dataDir, name), "base64").catch(() => ""),
  );
  return (await Promise.all(files)).join("\n");
}

async function run(at: TestDatabase, statements: readonly string[]): Promise<void> {
  if (at.kind === "postgres") return void (await runSql(at.url, statements.join("; ")));
  using database = new DatabaseSync(join(at.dataDir, "peerdeck.sqlite"));
  for (const statement of statements) database.exec(statement);
}

/** The test's database is a copy of one that this version has made. */
async function empty(at: TestDatabase): Promise<void> {
  if (at.kind === "postgres") await runSql(at.url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  else await rm(join(at.dataDir, "peerdeck.sqlite"));
}

/** The names of the migrations that versions without a release had. */
const former = Array.from({ length: 15 }, (_, index) =>
  index === 0 ? "0001-first-tables" : `${String(index + 1).padStart(4, "0")}-former`,
);

const refusals: ReadonlyArray<readonly [what: string, change: readonly string[], message: string]> = [
  ["newer than this version", [`INSERT INTO kysely_migration VALUES ('${plantedName}', '')`], newer],
  [
    "of a newer version that has replaced the first migrations",
    ["DELETE FROM kysely_migration", `INSERT INTO kysely_migration VALUES ('${plantedName}', '')`],
    newer,
  ],
  [
    "of the versions before the first release",
    [
      "DELETE FROM kysely_migration",
      ...former.map((name) => `INSERT INTO kysely_migration VALUES ('${name}', '')`),
    ],
    older,
  ],
  ["without any migration", ["DROP TABLE kysely_migration"], older],
];

describeWithDatabase("a database", { postgres: "always" }, (createDatabase) => {
  test("of an earlier version is migrated and keeps its rows", async () => {
    const at = await createDatabase();
    const before = await open(at);
    await before.db.insertInto("accounts").values(account).execute();
    await close(before);

    await using after = await open(at, nextVersion);
    expect(await readNames(after)).toEqual([...Object.keys(migrations), plantedName]);
    expect(await after.db.selectFrom("accounts").selectAll().execute()).toEqual([
      expect.objectContaining({ ...account, planted: "new" }),
    ]);
  });

  test("keeps the counters of tunnels that an earlier version stored in rows", async () => {
    const at = await createDatabase();
    await empty(at);
    const earlier = Object.entries(migrations).filter(([name]) => name < "0005");
    await close(await open(at, Object.fromEntries(earlier)));
    await run(at, [
      `INSERT INTO current_half_hours (asn, node, at, up, down, latencies, received, sent)
        VALUES ('${asn}', 'de01', 9, 1, 0, '', 0, 0), ('${asn}', 'ny01', 9, 1, 0, '', 0, 0)`,
      `INSERT INTO traffic_samples VALUES ('de01', '${asn}', 9, 3000000000, 40), ('de01', '${asn}', 8, 20, 4),
        ('de01', '4242420002', 7, 1, 1)`,
    ]);
    await using after = await open(at);
    expect(await findTraffic(after.db, asn, 0)).toEqual(
      new Map([
        [
          "de01",
          [
            { at: 8, received: 20, sent: 4 },
            { at: 9, received: 3_000_000_000, sent: 40 },
          ],
        ],
        ["ny01", []],
      ]),
    );
  });

  test("is unchanged after a migration that fails, and can still be used", async () => {
    const at = await createDatabase();
    const failing: Migrations = {
      ...nextVersion,
      "0003-failing": {
        up: async (db: Kysely<unknown>) => {
          await sql`UPDATE counters SET value = 7`.execute(db);
          await sql`UPDATE no_table SET value = 7`.execute(db);
        },
      },
    };
    await expect(open(at, failing)).rejects.toThrow("the database migration failed");

    await using opened = await open(at);
    expect(await readNames(opened)).toEqual(Object.keys(migrations));
    expect(await opened.db.selectFrom("counters").selectAll().execute()).toEqual([
      { name: "generation", value: 0 },
    ]);
    await opened.db.insertInto("accounts").values(account).execute();
    expect(await opened.db.selectFrom("accounts").selectAll().executeTakeFirst()).not.toHaveProperty(
      "planted",
    );
  });

  test("that two servers open is migrated once", async () => {
    const at = await createDatabase();
    let runs = 0;
    const counted: Migrations = {
      ...migrations,
      [plantedName]: {
        up: async (db) => {
          runs += 1;
          await nextVersion[plantedName]?.up(db);
        },
      },
    };
    const opened = await Promise.all([open(at, counted), open(at, counted)]);
    expect(runs).toBe(1);
    for (const one of opened) {
      expect(await readNames(one)).toContain(plantedName);
      await close(one);
    }
  });

  test.each(shareOfCommit(refusals))("%s is refused and left unchanged", async (_, change, message) => {
    const at = await createDatabase();
    await run(at, change);
    const before = await readBytes(at);
    const refused = open(at);
    await expect(refused).rejects.toThrow(DatabaseVersionError);
    await expect(refused).rejects.toThrow(message);
    expect(await readBytes(at)).toBe(before);
  });
});

test("a newer SQLite database that a killed server left with a log is refused, and both files are unchanged", async () => {
  const source = await createScratchFolder(onTestFinished);
  const dataDir = await createScratchFolder(onTestFinished);
  await using running = await openDatabase({
    dataDir: source,
    url: null,
    onError: () => undefined,
    migrations: nextVersion,
  });
  await running.db.insertInto("accounts").values(account).execute();
  for (const name of ["peerdeck.sqlite", "peerdeck.sqlite-wal"]) {
    await copyFile(join(source, name), join(dataDir, name));
  }
  const at = { kind: "sqlite", dataDir } as const;
  const before = await readBytes(at);
  await expect(open(at)).rejects.toThrow(newer);
  expect(await readBytes(at)).toBe(before);
});
