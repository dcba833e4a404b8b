/** The commands that back up and restore a provider's server. They use its settings. */
import { join } from "node:path";
import { profileName } from "#server/backup/archive.ts";
import { createBackup } from "#server/backup/create-backup.ts";
import { restoreBackup } from "#server/backup/restore-backup.ts";
import { invalidArguments, parseArguments } from "./command-line.ts";
import { ConfigError } from "#system/config/config-error.ts";
import type { Environment } from "#server/config/environment.ts";

const usage = `peerdeck backup [--replace] FILE
  Writes the database, the secret key, the server's TLS identity, the provider profile and the list of the nodes to FILE. The
  server may be running.
  --replace  replaces an existing FILE

peerdeck restore [--replace] [--replace-database NAME] FILE
  Restores a backup into DATA_DIR, and with PostgreSQL into an empty database. FILE may also be a copy of the database in
  DATA_DIR/backups, which the server made before a migration: it is restored alone. No server may be running.
  --replace           replaces existing data in DATA_DIR, which is kept in a folder of its own
  --replace-database  replaces the tables of the PostgreSQL database NAME, which are kept as a dump in such a folder`;

export type BackupCommand = "backup" | "restore";

/** Runs a command and returns its exit code. Throws `ConfigError` if it did nothing, with the reason. */
export async function runBackupCommand(
  name: BackupCommand,
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  const options = { environment, ...readOptions(args) };
  if (options.replacedDatabase !== null && (name === "backup" || environment.databaseUrl === null)) {
    const reason = name === "backup" ? "is an option of restore" : "needs DATABASE_URL";
    throw invalidArguments(`--replace-database ${reason}`, usage);
  }
  return name === "backup" ? await backup(options, print) : await restore(options, print);
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments(
    args,
    {
      options: { replace: { type: "boolean" }, "replace-database": { type: "string" } },
      allowPositionals: true,
    },
    usage,
  );
  const [file] = positionals;
  if (!file || positionals.length > 1) throw invalidArguments("Exactly one FILE is needed", usage);
  const { replace = false, "replace-database": replacedDatabase = null } = values;
  return { replace, replacedDatabase, file };
}

interface Options {
  readonly environment: Environment;
  readonly file: string;
  readonly replace: boolean;
  readonly replacedDatabase: string | null;
}

async function backup(options: Options, print: (text: string) => void): Promise<number> {
  const { configPath } = options.environment;
  if (configPath === null) throw new ConfigError("PEERDECK_CONFIG does not name a provider profile.");
  const { bytes, hasSecretKey } = await createBackup({ ...options, configPath });
  const secretKey = hasSecretKey ? "the secret key, " : "";
  print(
    `${options.file}: the database, ${secretKey}the server's TLS identity and the provider profile, ${bytes} bytes.`,
  );
  print("It contains private keys and password hashes. Keep a copy on another host.");
  if (!hasSecretKey)
    print("The secret key is not in a file and not in this backup. Keep PEERDECK_SECRET too.");
  return 0;
}

async function restore(options: Options, print: (text: string) => void): Promise<number> {
  const { dataDir, databaseUrl } = options.environment;
  const { createdAt, fingerprint, previous } = await restoreBackup(options);
  const database = databaseUrl === null ? "" : " and to the database of DATABASE_URL";
  print(
    fingerprint === null
      ? `Restored the database of ${createdAt.toISOString()}. Keys and profile are unchanged.`
      : `Restored the backup of ${createdAt.toISOString()} to ${dataDir}${database}.`,
  );
  if (fingerprint !== null) print(`Server fingerprint, which the agents must have: ${fingerprint}`);
  if (previous !== null) print(`The previous data is in ${previous}. Delete it when you no longer need it.`);
  const steps = [
    fingerprint === null
      ? "Make sure that the version that this database is for is installed: a newer one migrates it again."
      : `The provider profile of the backup is ${join(dataDir, profileName)}. Compare it with yours, or set PEERDECK_CONFIG to it.`,
    "Start the server.",
    "If peerings were changed after the backup, the server names them and changes nothing there. Run: peerdeck recover",
  ];
  print(`\nNext:\n${steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}`);
  return 0;
}
