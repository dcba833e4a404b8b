/** Backups that a restore refuses, since they are damaged or another program's. */
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { link, mkdir, mkdtemp, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { extractBackup } from "#server/backup/archive.ts";
import { restoreBackup } from "#server/backup/restore-backup.ts";
import { ConfigError } from "#system/config/config-error.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { setUpProvider } from "./provider.ts";
import { readTree } from "./read-tree.ts";

let backup: string;
let folder: string;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  const provider = parts.use(await setUpProvider(["syd01"]));
  await (await provider.startServer()).stop();
  backup = join(await createFolder(), "peerdeck.tar.gz");
  expect(await provider.runCommand(["backup", backup])).toMatchObject({ code: 0 });
});
afterAll(() => parts.disposeAsync());

beforeEach(async () => {
  folder = await createFolder();
});

const createFolder = () => createScratchFolder((remove) => parts.defer(remove));

interface Change {
  /** Changes the extracted files of a backup. */
  readonly change?: (files: string) => Promise<unknown>;
  /** Options of tar; default: all files of the backup. */
  readonly entries?: readonly string[];
}

interface Damage extends Change {
  readonly what: string;
  readonly reason: string;
}

const all = ["peerdeck.sqlite", "identity.pem", "provider.toml", "secret.key", "nodes.json"];

/** Creates an archive with the changed files of the backup. */
async function repack({ change, entries = all }: Change): Promise<string> {
  const files = await createFolder();
  execFileSync("tar", ["-xf", backup, "-C", files]);
  await change?.(files);
  const archive = join(files, "archive.tar.gz");
  execFileSync("tar", ["-czf", archive, "-C", files, ...entries]);
  return archive;
}

test("a backup without a secret key is restored", async () => {
  const file = await repack({ entries: all.filter((name) => name !== "secret.key") });
  const environment = { dataDir: folder, databaseUrl: null };
  await restoreBackup({ environment, file, replace: false });
  expect(Object.keys(await readTree(folder))).toContain("peerdeck.sqlite");
});

test("a backup from before nodes were listed is restored, and a newer list does not stay beside it", async () => {
  const environment = { dataDir: folder, databaseUrl: null };
  await writeFile(join(folder, "nodes.json"), "newer");
  const file = await repack({ entries: all.filter((name) => name !== "nodes.json") });
  const { previous } = await restoreBackup({ environment, file, replace: false });
  expect(Object.keys(await readTree(folder))).not.toContain("nodes.json");
  expect(await readFile(join(previous ?? "", "nodes.json"), "utf8")).toBe("newer");
  await restoreBackup({ environment, file: backup, replace: true });
  expect(await readFile(join(folder, "nodes.json"), "utf8")).toContain('"syd01"');
});

const notPlain = "is not a plain file";

const damages: readonly Damage[] = [
  {
    what: "a symbolic link instead of a file",
    reason: notPlain,
    change: async (files) => {
      await rename(join(files, "identity.pem"), join(files, "target"));
      await symlink(join(files, "target"), join(files, "identity.pem"));
    },
  },
  {
    what: "a hard link instead of a file",
    reason: notPlain,
    change: async (files) => {
      await rm(join(files, "identity.pem"));
      await link(join(files, "peerdeck.sqlite"), join(files, "identity.pem"));
    },
  },
  {
    what: "a path outside of the folder",
    reason: "and nothing else",
    entries: ["-P", "--transform=s,^provider.toml$,../provider.toml,", ...all],
  },
  {
    what: "a path below a link",
    reason: "and nothing else",
    change: (files) => symlink("..", join(files, "outside")),
    entries: ["outside", "--transform=s,^provider.toml$,outside/provider.toml,", ...all],
  },
  // The second name of a file is a hard link.
  { what: "another file", reason: notPlain, entries: [...all, "identity.pem"] },
  {
    what: "a missing file",
    reason: "and nothing else",
    entries: all.filter((name) => name !== "identity.pem"),
  },
  {
    what: "a key of 1 TiB",
    reason: "its secret.key is not a plain file",
    change: (files) => truncate(join(files, "secret.key"), 1024 ** 4),
    entries: ["--sparse", ...all],
  },
  {
    what: "another key than that of the certificate",
    reason: "identity.pem is not a private key with its certificate",
    change: async (files) => {
      const path = join(files, "identity.pem");
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const other = privateKey.export({ type: "pkcs8", format: "pem" });
      await writeFile(path, (await readFile(path, "utf8")).replace(/^-.+?PRIVATE KEY-----\n(?=-)/s, other));
    },
  },
  {
    what: "a damaged secret key",
    reason: "secret.key is not a secret key",
    change: (files) => writeFile(join(files, "secret.key"), "short"),
  },
  {
    what: "a damaged list of nodes",
    reason: "nodes.json is not a list of nodes",
    change: (files) => writeFile(join(files, "nodes.json"), '{"version":1,"nodes":[{}]}'),
  },
  {
    what: "a damaged database",
    reason: "cannot be read: the database is damaged: ",
    change: async (files) => {
      const path = join(files, "peerdeck.sqlite");
      const content = await readFile(path);
      content.fill(0xff, 4096, 12_288);
      await writeFile(path, content);
    },
  },
  {
    what: "another program's database",
    reason: "its database is not one of Peerdeck",
    change: async (files) => {
      await rm(join(files, "peerdeck.sqlite"));
      using database = new DatabaseSync(join(files, "peerdeck.sqlite"));
      database.exec("CREATE TABLE other (id)");
    },
  },
  {
    what: "a newer version's database",
    reason: "was made by a newer version of Peerdeck (it has the migration 9999-later). Nothing was changed.",
    change: async (files) => {
      using database = new DatabaseSync(join(files, "peerdeck.sqlite"));
      database.exec("INSERT INTO kysely_migration VALUES ('9999-later', '')");
    },
  },
  {
    what: "an older version's database",
    reason:
      "was made by an older version of Peerdeck, whose database this one cannot migrate. Nothing was changed.",
    change: async (files) => {
      using database = new DatabaseSync(join(files, "peerdeck.sqlite"));
      database.exec("DELETE FROM kysely_migration; INSERT INTO kysely_migration VALUES ('0000-earlier', '')");
    },
  },
];

test.each(damages)("a backup with $what is refused, and nothing is changed", async (damage) => {
  const archive = await repack(damage);
  for (const output of await restoreRefused(archive)) {
    expect(output).toContain(damage.reason);
    expect(output).toMatch(/^.*Nothing was changed\..*$/);
  }
});

const refusal = /is damaged or is no backup of Peerdeck: .*Nothing was changed\./;

test("a truncated backup and a file that is no archive are refused, and nothing is changed", async () => {
  const copy = join(await createFolder(), "peerdeck.tar.gz");
  const content = await readFile(backup);
  for (const length of [0, 100, content.length >> 1, content.length - 1]) {
    await writeFile(copy, content);
    await truncate(copy, length);
    expect((await restoreRefused(copy)).join()).toMatch(refusal);
  }
  for (const other of ["a text", gzipSync("a text"), gunzipSync(content)]) {
    await writeFile(copy, other);
    expect((await restoreRefused(copy)).join()).toMatch(refusal);
  }
  expect((await restoreRefused(`${copy}.missing`)).join()).toContain("cannot be read (ENOENT)");
});

test.each<[string, string, Change]>([
  ["a sparse database of 6 GB", notPlain, { entries: ["--sparse", ...all] }],
  ["a sparse database of 6 GB (POSIX)", notPlain, { entries: ["--format=posix", "--sparse", ...all] }],
  ["a database of zeros", "would take 220000000 bytes, more than a backup of this size contains", {}],
])("of %s, the first bytes suffice to refuse it", async (what, reason, { entries }) => {
  const bytes = what.includes("6 GB") ? 6e9 : 220e6;
  const archive = await repack({
    change: (files) => truncate(join(files, "peerdeck.sqlite"), bytes),
    entries: entries ?? all,
  });
  for (const output of await restoreRefused(archive)) expect(output).toContain(reason);
  // Of a file that ends here, the reason would be its end if more of it was read.
  await truncate(archive, 8_192);
  for (const output of await restoreRefused(archive)) expect(output).toContain(reason);
  const provider = parts.use(await setUpProvider(["syd01"]));
  const { code, output } = await provider.runCommand(["restore", archive], { DATA_DIR: join(folder, "new") });
  expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
});

test("a backup in which one bit has changed is refused", async () => {
  const copy = join(folder, "peerdeck.tar.gz");
  const content = await readFile(backup);
  // The bytes before are the header of gzip: a flag, a time and the system.
  for (let position = 10; position < content.length; position += Math.ceil(content.length / 20)) {
    const changed = Buffer.from(content);
    changed.writeUInt8(changed.readUInt8(position) ^ (1 << (position % 8)), position);
    await writeFile(copy, changed);
    const extracting = extractBackup(copy, await mkdtemp(join(folder, "extracted-")));
    await expect(extracting, `byte ${position}`).rejects.toThrow(refusal);
  }
});

/** Restores over existing data and into a new folder, and returns the errors. Fails if anything has changed. */
async function restoreRefused(archive: string): Promise<readonly string[]> {
  await mkdir(join(folder, "identity"), { recursive: true });
  await writeFile(join(folder, "identity/identity.pem"), "existing", { mode: 0o600 });
  const before = await readTree(folder);
  const errors: string[] = [];
  for (const dataDir of [folder, join(folder, "new")]) {
    const environment = { dataDir, databaseUrl: null };
    const restoring = restoreBackup({ environment, file: archive, replace: true });
    const error: unknown = await restoring.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    errors.push((error as ConfigError).message);
  }
  expect(await readTree(folder)).toEqual(before);
  return errors;
}
