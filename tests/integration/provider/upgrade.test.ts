/** An upgrade that migrates the database, and the way back to the version before it, with the programs themselves. */
import { execFileSync } from "node:child_process";
import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { dumpPostgres } from "#server/db/backups/postgres-dump.ts";
import { copySqlite } from "#server/db/sqlite/database-file.ts";
import { type PostgresTestDatabase, createTestDatabase, runSql } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { shareOfNumbers } from "../../support/share-of-commit.ts";
import { caller, deployPeering, type Participant } from "../server/participant.ts";
import { plantedName } from "../server/planted-migration.ts";
import { signUpByMail } from "./mailed-link.ts";
import {
  serverSource,
  type Provider,
  type Server,
  type ServerProcess,
  setUpProvider,
  type Settings,
} from "./provider.ts";

const node = "syd01";
const [ada, bram] = ["4242420001", "4242420002"] as const;
const nextVersion = { NODE_OPTIONS: `--import ${join(import.meta.dirname, "next-version.ts")}` };
const effect =
  "Until the operator recovers the database, the server changes and removes nothing there by itself.";

describe.each(["sqlite", "postgres"] as const)("with %s", (kind) => {
  const parts = new AsyncDisposableStack();
  let provider: Provider;
  let database: PostgresTestDatabase | null = null;
  let settings: Settings = {};
  /** The options that replace the database. */
  let replacing: readonly string[];
  let server: Server;
  let cookies: ReadonlyMap<string, string>;
  let upgraded: ServerProcess;
  /** The copy that the upgrade has made. */
  let copy: string;
  /** A copy of the migrated database. */
  let newerCopy: string;
  let folder: string;
  let older: unknown;

  const createFolder = () => createScratchFolder((remove) => parts.defer(remove));
  const restore = (args: readonly string[]) => provider.runCommand(["restore", ...args], settings);
  const query = async (statement: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
    if (database) return runSql(database.url, statement);
    using file = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"), { readOnly: true });
    return file.prepare(statement).all();
  };
  /** What differs between the two versions' databases: the migrations, and the peerings. */
  const readState = async () => [
    await readMigrations(),
    await query("SELECT asn, generation FROM peerings ORDER BY asn"),
  ];
  const readMigrations = async () =>
    (await query("SELECT name FROM kysely_migration ORDER BY name")).map(({ name }) => name);
  const participantAt = (url: string, asn: string): Participant => {
    const cookie = cookies.get(asn) ?? "";
    return { asn, cookie, call: caller(url, cookie) };
  };
  const upgrade = () =>
    provider.startServerProcess(
      { PATH: process.env["PATH"] ?? "", ...settings, ...nextVersion },
      serverSource,
    );

  /** SQLite's file is replaced in one step. */
  const testOnPostgres: (name: string, run: () => Promise<void>) => void =
    kind === "postgres" ? test : () => {};

  beforeAll(async () => {
    provider = parts.use(await setUpProvider([node]));
    if (kind === "postgres") {
      database = parts.use(await createTestDatabase());
      settings = { DATABASE_URL: database.url };
    }
    replacing = database ? ["--replace-database", new URL(database.url).pathname.slice(1)] : ["--replace"];
    await provider.startAgent(node);
    server = await provider.startServer(settings);
    const signedUp = new Map<string, string>();
    for (const asn of [ada, bram])
      signedUp.set(asn, (await signUpByMail(provider.mail, server.url, asn)).cookie);
    cookies = signedUp;
    await deployPeering(participantAt(server.url, ada), node);
    await server.stop();
    older = await readState();
  });
  afterAll(() => parts.disposeAsync());

  beforeEach(async () => {
    folder = await createFolder();
  });

  test("the next version copies and migrates the database, and the peerings keep running", async () => {
    const before = await provider.readPeerings();
    upgraded = await upgrade();
    const message = String(
      upgraded.program.log.find(({ msg }) => String(msg).includes("will be migrated"))?.["msg"],
    );
    copy = /Its backup is (\S+)\.$/.exec(message)?.[1] ?? message;
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    expect(await readMigrations()).toContain(plantedName);
    expect(await provider.readPeerings()).toEqual(before);
    await deployPeering(participantAt(upgraded.url, bram), node);
  });

  test("a restore is refused while a server runs", async () => {
    const { code, output } = await restore([...replacing, copy]);
    expect(output).toMatch(
      database
        ? /^The database test_\w+ is in use by \d+ connections? \(peerdeck from 127\.0\.0\.1\)\. Nothing was changed\. Stop/
        : /^A server or another program uses the data in .*\. Nothing was changed\. Stop it/,
    );
    expect(code).toBe(1);
    await upgraded.program.end("SIGTERM");
    expect(await readMigrations()).toContain(plantedName);
  });

  test("the version before it refuses the database, and restores nothing that is damaged, newer or not asked for", async () => {
    expect(await provider.refuseStart(settings)).toContain("a newer version of Peerdeck has migrated it");
    newerCopy = join(folder, "newer");
    await (database
      ? dumpPostgres(database.url, newerCopy)
      : copySqlite(join(provider.serverDir, "peerdeck.sqlite"), newerCopy));
    const truncated = join(folder, "truncated");
    await writeFile(truncated, await readFile(copy));
    await truncate(truncated, Math.floor((await stat(copy)).size * 0.9));
    const refusals: ReadonlyArray<readonly [readonly string[], RegExp]> = [
      [
        [copy],
        database
          ? /^The database of DATABASE_URL is not empty: it has the tables account_blocks, .*, accounts and \d+ more\. Nothing was changed\. .*--replace-database test_\w+: /
          : /already contains peerdeck\.sqlite(?:, peerdeck\.sqlite-wal)?\. Nothing was changed\. .*, or add --replace:/,
      ],
      [
        [...replacing, newerCopy],
        /made by a newer version of Peerdeck \(it has the migration 9000-planted\)\. Nothing was changed/,
      ],
      [
        [...replacing, truncated],
        /^The database of \S+ cannot be (read|restored): .*\. Nothing was changed\.\n$/,
      ],
      ...(database
        ? [
            [
              ["--replace-database", "other", copy],
              /leads to the database test_\w+, and --replace-database names other\. Nothing/,
            ] as const,
          ]
        : [
            [
              ["--replace-database", "other", copy],
              /^--replace-database needs DATABASE_URL\. Nothing was changed\./,
            ] as const,
          ]),
    ];
    for (const [args, message] of refusals) {
      const { code, output } = await restore(args);
      expect(output).toMatch(message);
      expect(code).toBe(1);
    }
    expect(await readMigrations()).toContain(plantedName);
    expect(await query("SELECT asn FROM planted")).toEqual([]);
    expect((await readdir(provider.serverDir)).filter((name) => name.startsWith(".restore"))).toEqual([]);
  });

  testOnPostgres("a restore whose transaction is cut off changes nothing", async () => {
    const newer = await readState();
    const psql = execFileSync("which", ["psql"], { encoding: "utf8" }).trim();
    const stub = `#!/bin/sh\nexec ${psql} "$@" --command='\\! kill -9 $PPID'\n`;
    await writeFile(join(folder, "psql"), stub, { mode: 0o755 });
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, output } = await restore([...replacing, copy]);
    expect(output).toMatch(
      /^The database of \S+ cannot be restored: psql ended with null\. Nothing was changed\.\n$/,
    );
    expect(code).toBe(1);
    expect(await readState()).toEqual(newer);
  });

  test("a restore that is killed at any step leaves one of the two versions, and can be repeated", async () => {
    const newer = await readState();
    const states: unknown[] = [];
    for (const step of shareOfNumbers()) {
      const killed = await provider.killCommandBeforeStep(step, ["restore", ...replacing, copy], {
        PATH: process.env["PATH"] ?? "",
        ...settings,
      });
      if (killed.code === 0) break;
      expect(killed).toEqual({ code: null, output: "" });
      states.push(await readState());
      expect([newer, older]).toContainEqual(states.at(-1));
    }
    expect(states).not.toEqual([]);
    expect(await readState()).toEqual(older);
  });

  test("the version before it restores the copy, and nothing changes on the node", async () => {
    const before = await provider.readPeerings();
    const { code, output } = await restore([...replacing, copy]);
    expect(output).toContain(". Keys and profile are unchanged.\nThe previous data is in ");
    expect(code).toBe(0);
    expect(await readState()).toEqual(older);
    server = await provider.startServer(settings);
    await server.logged(`1 peering on syd01.example.net is not in the database. ${effect}`);
    expect(await provider.readPeerings()).toEqual(before);
    await deployPeering(participantAt(server.url, ada), node, { remote_port: "4001" });
    expect((await provider.readPeerings())[1]).toEqual(before[1]);
    await server.stop();
  });

  test("the next upgrade migrates the restored database", async () => {
    const before = await provider.readPeerings();
    upgraded = await upgrade();
    expect(await readMigrations()).toContain(plantedName);
    await upgraded.program.logged(`1 peering on syd01.example.net is not in the database. ${effect}`);
    expect(await provider.readPeerings()).toEqual(before);
  });
});
