/** Backup and restore of a provider's server, with the program's commands. */
import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { restoreBackup } from "#server/backup/restore-backup.ts";
import { lockFolder } from "#server/db/sqlite/folder-lock.ts";
import { shareOfNumbers } from "../../support/share-of-commit.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { caller, deployPeering, logIn, type Participant } from "../server/participant.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, type Server, setUpProvider } from "./provider.ts";
import { readTree } from "./read-tree.ts";

const asn = "4242420001";
const node = "syd01";

let provider: Provider;
let server: Server;
let participant: Participant;
/** A backup that was made while the server ran and its database was written. */
let backup: string;
let written: { readonly before: number; readonly after: number };
let folder: string;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  provider = parts.use(await setUpProvider([node]));
  await provider.startAgent(node);
  server = await provider.startServer();
  participant = await signUpByMail(provider.mail, server.url, asn);
  await server.logged("mail delivered");
  await deployPeering(participant, node);
  backup = join(await createFolder(), "peerdeck.tar.gz");
  written = await writeDuring(async () => {
    const { code, output } = await provider.runCommand(["backup", backup]);
    expect(output).toContain(
      `${backup}: the database, the secret key, the server's TLS identity and the provider profile, `,
    );
    expect(code).toBe(0);
  });
});
afterAll(() => parts.disposeAsync());

beforeEach(async () => {
  folder = await createFolder();
});

const createFolder = () => createScratchFolder((remove) => parts.defer(remove));

/** Writes two rows with the same number in each transaction, without a pause, while `work` runs. */
async function writeDuring(work: () => Promise<void>): Promise<typeof written> {
  using database = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"), { timeout: 5000 });
  const insert = database.prepare(
    "INSERT OR REPLACE INTO contact_messages (hash, accepted_at) VALUES (?, ?)",
  );
  let count = 0;
  const write = () => {
    count += 1;
    database.exec("BEGIN IMMEDIATE");
    for (const name of ["one", "two"]) insert.run(name, count);
    database.exec("COMMIT");
  };
  write();
  const before = count;
  const state = { isDone: false };
  const working = work().finally(() => {
    state.isDone = true;
  });
  while (!state.isDone) {
    write();
    await setImmediate();
  }
  await working;
  return { before, after: count };
}

function readNumbers(dataDir: string): readonly number[] {
  using database = new DatabaseSync(join(dataDir, "peerdeck.sqlite"), { readOnly: true });
  const rows = database
    .prepare("SELECT accepted_at FROM contact_messages WHERE hash IN ('one', 'two')")
    .all();
  return rows.map((row) => Number(row["accepted_at"]));
}

function readHash(dataDir: string): unknown {
  using database = new DatabaseSync(join(dataDir, "peerdeck.sqlite"), { readOnly: true });
  return database.prepare("SELECT password_hash FROM accounts").get()?.["password_hash"];
}

const restore = (dataDir: string, args: readonly string[]) =>
  provider.runCommand(["restore", ...args], { DATA_DIR: dataDir });

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("a backup of a running server under writes restores accounts, peerings, logins, push keys and the identity", async () => {
  const dataDir = join(folder, "data");
  const { code, output } = await restore(dataDir, [backup]);
  const { fingerprint } = await server.logged("the server is listening");
  expect(output).toContain(`Server fingerprint, which the agents must have: ${String(fingerprint)}\n`);
  expect(output).toContain("Start the server.");
  expect(code).toBe(0);
  expect(await readdir(dataDir)).toEqual(
    expect.arrayContaining(["identity", "nodes.json", "peerdeck.sqlite", "provider.toml"]),
  );
  expect(await modeOf(backup)).toBe("600");
  expect(await modeOf(dataDir)).toBe("700");
  expect(await modeOf(join(dataDir, "identity"))).toBe("700");
  for (const name of ["identity/identity.pem", "peerdeck.sqlite", "provider.toml", "secret.key"]) {
    expect([name, await modeOf(join(dataDir, name))]).toEqual([name, "600"]);
  }
  const [one = 0, two] = readNumbers(dataDir);
  expect(two).toBe(one);
  expect(one).toBeGreaterThanOrEqual(written.before);
  expect(one).toBeLessThanOrEqual(written.after);

  const pushKey = (await participant.call(calls.getPushSettings, { username: asn })).publicKey;
  const config = await participant.call(calls.getPeerConfig, { username: asn, node });
  await server.stop();
  server = await provider.startServer({
    DATA_DIR: dataDir,
    PEERDECK_CONFIG: join(dataDir, "provider.toml"),
  });
  expect(await server.logged("the server is listening")).toMatchObject({ fingerprint });
  const restored = { ...participant, call: caller(server.url, participant.cookie) };
  expect((await restored.call(calls.getPushSettings, { username: asn })).publicKey).toBe(pushKey);
  expect(await restored.call(calls.getPeerConfig, { username: asn, node })).toEqual(config);
  await deployPeering(await logIn(server.url, asn), node, { remote_port: "4001" });
  const audit = await provider.runCommand(["audit"], { DATA_DIR: dataDir });
  expect(
    audit.output.match(/The operator restored a backup of the server\. It was restored at/g),
  ).toHaveLength(1);
  expect(await readdir(dataDir)).not.toContain("restored.json");

  await server.stop();
  server = await provider.startServer();
});

test("a restore is refused while a server runs", async () => {
  const before = await readFile(join(provider.serverDir, "identity/identity.pem"), "utf8");
  const { code, output } = await restore(provider.serverDir, ["--replace", backup]);
  expect(output).toBe(
    `A server or another program uses the data in ${provider.serverDir}. Nothing was changed. Stop it, and try again.\n`,
  );
  expect(code).toBe(1);
  expect((await readdir(provider.serverDir)).filter((name) => /restore|replaced/.test(name))).toEqual([]);
  expect(await readFile(join(provider.serverDir, "identity/identity.pem"), "utf8")).toBe(before);
  await logIn(server.url, asn);
});

test("a restore is refused while a server starts, or another command has the database open", async () => {
  const refusal = `A server or another program uses the data in ${folder}. Nothing was changed.`;
  {
    using _lock = await lockFolder(folder);
    expect((await restore(folder, [backup])).output).toContain(refusal);
  }
  expect(await restore(folder, [backup])).toMatchObject({ code: 0 });
  using database = new DatabaseSync(join(folder, "peerdeck.sqlite"));
  database.exec("PRAGMA journal_mode = WAL; SELECT * FROM accounts");
  expect((await restore(folder, ["--replace", backup])).output).toContain(refusal);
});

test("existing data is replaced only on request, and is kept then", async () => {
  expect(await restore(folder, [backup])).toMatchObject({ code: 0 });
  using writer = new DatabaseSync(join(folder, "peerdeck.sqlite"));
  writer.exec("PRAGMA journal_mode = WAL; UPDATE accounts SET password_hash = 'newer'");
  writer.close();
  const before = await readTree(folder);
  const refused = await restore(folder, [backup]);
  expect(refused.output).toContain(
    `${folder} already contains peerdeck.sqlite, identity/identity.pem, secret.key, provider.toml. Nothing was changed.`,
  );
  expect(refused.code).toBe(1);
  expect(await readTree(folder)).toEqual(before);

  const replaced = await restore(folder, ["--replace", backup]);
  const previous = /The previous data is in (\S+)\. /.exec(replaced.output)?.[1] ?? "";
  expect(readHash(previous)).toBe("newer");
  expect(readHash(folder)).toContain("$argon2id$");
  expect(await readFile(join(previous, "identity/identity.pem"), "utf8")).toBe(
    await readFile(join(folder, "identity/identity.pem"), "utf8"),
  );
});

test("a damaged database is replaced, and kept with its log", async () => {
  await writeFile(join(folder, "peerdeck.sqlite"), "not a database".repeat(100));
  await writeFile(join(folder, "peerdeck.sqlite-wal"), "a log");
  const { code, output } = await restore(folder, ["--replace", backup]);
  expect(code).toBe(0);
  const previous = /The previous data is in (\S+)\. /.exec(output)?.[1] ?? "";
  expect(await readFile(join(previous, "peerdeck.sqlite-wal"), "utf8")).toBe("a log");
  expect(await readdir(folder)).not.toContain("peerdeck.sqlite-wal");
  expect(readNumbers(folder)).toHaveLength(2);
});

test("a restore that is killed before any step leaves a complete database and the previous data, and can be repeated", async () => {
  const existing = join(folder, "existing");
  await restoreInto(existing);
  const newKey = await readFile(join(existing, "secret.key"), "utf8");
  await writeFile(join(existing, "secret.key"), "previous");
  using writer = new DatabaseSync(join(existing, "peerdeck.sqlite"));
  writer.exec("PRAGMA journal_mode = WAL; UPDATE accounts SET password_hash = 'previous'");

  let kills = 0;
  for (const step of shareOfNumbers()) {
    const dataDir = join(folder, String(step));
    await cp(existing, dataDir, { recursive: true });
    const killed = await provider.killCommandBeforeStep(step, ["restore", "--replace", backup], {
      DATA_DIR: dataDir,
    });
    if (killed.code === 0) break;
    expect(killed).toEqual({ code: null, output: "" });
    kills += 1;
    const [database, ...copies] = await findCopies(dataDir, "peerdeck.sqlite");
    expect(database).toBe(dataDir);
    expect([dataDir, ...copies].map(readHash)).toContain("previous");
    const keys = await findCopies(dataDir, "secret.key");
    const texts = keys.map((name) => readFile(join(name, "secret.key"), "utf8"));
    expect(await Promise.all(texts)).toContain("previous");
    await restoreInto(dataDir);
    expect(readHash(dataDir)).toContain("$argon2id$");
    expect(await readFile(join(dataDir, "secret.key"), "utf8")).toBe(newKey);
  }
  expect(kills).toBeGreaterThan(3);
});

/** Returns which of the data folder and its folders of replaced files contain a file. */
async function findCopies(dataDir: string, name: string): Promise<readonly string[]> {
  const replaced = (await readdir(dataDir)).filter((entry) => entry.startsWith("replaced-"));
  const folders = [dataDir, ...replaced.map((entry) => join(dataDir, entry))];
  const contents = await Promise.all(folders.map((path) => readdir(path)));
  return folders.filter((_, index) => contents[index]?.includes(name));
}

const restoreInto = (dataDir: string) =>
  restoreBackup({ environment: { dataDir, databaseUrl: null }, file: backup, replace: true });

test("a backup replaces a file only on request, and a failed one leaves nothing", async () => {
  const file = join(folder, "peerdeck.tar.gz");
  await writeFile(file, "older");
  const refused = await provider.runCommand(["backup", file]);
  expect(refused.output).toContain(`${file} exists and was not changed. No backup was made.`);
  expect(refused.code).toBe(1);

  const empty = await createFolder();
  const failed = await provider.runCommand(["backup", "--replace", file], { DATA_DIR: empty });
  expect(failed.output).toContain("identity.pem cannot be read (ENOENT). No backup was made. Check DATA_DIR");
  await mkdir(join(empty, "identity"));
  await writeFile(join(empty, "identity/identity.pem"), "");
  await writeFile(join(empty, "peerdeck.sqlite"), "not a database");
  const damaged = await provider.runCommand(["backup", "--replace", file], { DATA_DIR: empty });
  expect(damaged.output).toContain(
    "peerdeck.sqlite cannot be copied: file is not a database. No backup was made.",
  );
  expect([failed.code, damaged.code]).toEqual([1, 1]);
  expect(await readdir(folder)).toEqual(["peerdeck.tar.gz"]);
  expect(await readFile(file, "utf8")).toBe("older");

  expect(await provider.runCommand(["backup", "--replace", file])).toMatchObject({ code: 0 });
  expect(await readdir(folder)).toEqual(["peerdeck.tar.gz"]);
  expect(await restore(join(folder, "data"), [file])).toMatchObject({ code: 0 });
});
