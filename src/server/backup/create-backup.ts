import { link, mkdtemp, rename, rm, stat, writeFile, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ConfigError } from "../../system/config/config-error.ts";
import type { Environment } from "../config/environment.ts";
import { secretKeyName } from "../db/secrets/secret-keys.ts";
import { nodesFileName } from "../nodes/nodes-file.ts";
import { syncPath } from "../../system/durable-file.ts";
import { dumpPostgres } from "../db/backups/postgres-dump.ts";
import { copySqlite } from "../db/sqlite/database-file.ts";
import { type BackupContents, databaseNames, identityName, listFiles, profileName } from "./archive.ts";
import { TarError, writeTar } from "./tar.ts";

export interface BackupOptions {
  readonly environment: Pick<Environment, "dataDir" | "databaseUrl">;
  readonly configPath: string;
  /** The path of the new backup. */
  readonly file: string;
  /** Whether an existing file is replaced. */
  readonly replace: boolean;
}

/**
 * Writes a backup, while the server runs or not. It appears under its name complete and synced; if it fails, nothing is
 * left and an existing file stays. Returns its size, and whether it contains the secret key.
 *
 * @throws {ConfigError} if the data folder or the profile is incomplete, or the file exists
 */
export async function createBackup({
  environment: { dataDir, databaseUrl },
  configPath,
  file,
  replace,
}: BackupOptions): Promise<{ readonly bytes: number; readonly hasSecretKey: boolean }> {
  const path = resolve(file);
  if (!replace && (await exists(path))) throw alreadyExists(file);
  const staging = await mkdtemp(join(dirname(path), `.${basename(path)}.`)).catch(
    (error: NodeJS.ErrnoException) => {
      throw new ConfigError(`${dirname(path)} cannot be written (${error.code}). No backup was made.`);
    },
  );
  try {
    await copySmall(join(dataDir, "identity", "identity.pem"), join(staging, identityName), "DATA_DIR");
    await copySmall(configPath, join(staging, profileName), "PEERDECK_CONFIG");
    // After the key has moved to PEERDECK_SECRET there is no file.
    const hasSecretKey = await exists(join(dataDir, secretKeyName));
    if (hasSecretKey) await copySmall(join(dataDir, secretKeyName), join(staging, secretKeyName), "DATA_DIR");
    // A database whose server has not run since its upgrade has none.
    const hasNodesFile = await exists(join(dataDir, nodesFileName));
    if (hasNodesFile) await copySmall(join(dataDir, nodesFileName), join(staging, nodesFileName), "DATA_DIR");
    const database = databaseUrl === null ? "sqlite" : "postgres";
    const contents: BackupContents = { database, hasSecretKey, hasNodesFile };
    await copyDatabase({ dataDir, databaseUrl }, join(staging, databaseNames[contents.database]));
    const archive = join(staging, "archive.tar.gz");
    await writeTar(archive, staging, listFiles(contents));
    const { size } = await stat(archive);
    if (replace) await rename(archive, path);
    else await linkNew(archive, path, file);
    await syncPath(dirname(path));
    return { bytes: size, hasSecretKey };
  } catch (error) {
    if (!(error instanceof TarError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new ConfigError(`${file} cannot be written: ${(error as Error).message}. No backup was made.`, {
      cause: error,
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function copySmall(source: string, target: string, variable: string): Promise<void> {
  const content = await readFile(source).catch((error: NodeJS.ErrnoException) => {
    throw missing(source, String(error.code), variable);
  });
  await writeFile(target, content, { mode: 0o600, flag: "wx" });
}

async function copyDatabase(
  { dataDir, databaseUrl }: BackupOptions["environment"],
  target: string,
): Promise<void> {
  const source = join(dataDir, databaseNames.sqlite);
  const copying = databaseUrl === null ? copySqlite(source, target) : dumpPostgres(databaseUrl, target);
  await copying.catch((error: Error) => {
    const database = databaseUrl === null ? source : "The database of DATABASE_URL";
    throw new ConfigError(`${database} cannot be copied: ${error.message}. No backup was made.`, {
      cause: error,
    });
  });
}

/** Unlike `rename`, never replaces a file that has appeared meanwhile. */
async function linkNew(archive: string, path: string, file: string): Promise<void> {
  await link(archive, path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw alreadyExists(file);
    // Some network and USB file systems have no links.
    await rename(archive, path);
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function alreadyExists(file: string): ConfigError {
  return new ConfigError(
    `${file} exists and was not changed. No backup was made. Choose another name, or add --replace.`,
  );
}

function missing(path: string, code: string, variable: string): ConfigError {
  return new ConfigError(
    `${path} cannot be read (${code}). No backup was made. Check ${variable}: it must be the one of the server.`,
  );
}
