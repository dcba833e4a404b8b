/**
 * The file of a backup: a tar archive with a manifest, the provider profile, the server's TLS identity, the secret key if
 * it is in a file and, unless the server uses PostgreSQL, a copy of the SQLite database.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as v from "valibot";
import { ConfigError } from "../config/environment.ts";
import { secretKeyName } from "../db/secrets/secret-keys.ts";
import { extractFromTar, listTar, TarError, writeTar } from "./tar.ts";

export const databaseName = "peerdeck.sqlite";
export const identityName = "identity.pem";
export const profileName = "provider.toml";
const manifestName = "manifest.json";
const formatVersion = 1;

const fileNames = v.picklist([databaseName, identityName, profileName, secretKeyName]);
type BackupFile = v.InferOutput<typeof fileNames>;

const manifestSchema = v.object({
  format: v.literal("peerdeck-backup"),
  version: v.number(),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  database: v.picklist(["sqlite", "postgres"]),
  files: v.array(v.object({ name: fileNames, bytes: v.number(), sha256: v.string() })),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;

/** Writes an archive with all files of a folder that a backup consists of. */
export async function writeArchive(
  archive: string,
  folder: string,
  { database, hasSecretKey }: { readonly database: Manifest["database"]; readonly hasSecretKey: boolean },
): Promise<Manifest> {
  const names: readonly BackupFile[] = [...requiredFiles(database), ...secretKeyFile(hasSecretKey)];
  const manifest: Manifest = {
    format: "peerdeck-backup",
    version: formatVersion,
    createdAt: new Date().toISOString(),
    database,
    files: await Promise.all(names.map(async (name) => ({ name, ...(await measure(join(folder, name))) }))),
  };
  await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await writeTar(archive, folder, [manifestName, ...names]);
  return manifest;
}

/**
 * Extracts a backup into an empty folder and checks that it is complete and undamaged.
 *
 * @throws {ConfigError} if it is not
 */
export async function readArchive(archive: string, folder: string): Promise<Manifest> {
  try {
    const names = await listTar(archive);
    if (!names.includes(manifestName)) throw notABackup(archive, `it has no ${manifestName}`);
    await extractFromTar(archive, manifestName, join(folder, manifestName));
    const manifest = parseManifest(archive, await readFile(join(folder, manifestName), "utf8"));
    const expectedFiles = [
      ...requiredFiles(manifest.database),
      ...secretKeyFile(manifest.files.some(({ name }) => name === secretKeyName)),
    ];
    const expected = [manifestName, ...expectedFiles].toSorted();
    if (names.toSorted().join("\n") !== expected.join("\n")) {
      throw notABackup(archive, `it must contain ${expected.join(", ")}, and nothing else`);
    }
    for (const name of expectedFiles) {
      await extractFromTar(archive, name, join(folder, name));
      const { bytes, sha256 } = await measure(join(folder, name));
      const listed = manifest.files.find((file) => file.name === name);
      if (listed?.bytes !== bytes || listed.sha256 !== sha256) {
        throw notABackup(archive, `${name} is not the file that was backed up`);
      }
    }
    return manifest;
  } catch (error) {
    if (!(error instanceof TarError)) throw error;
    if (!error.message.includes("No space left")) throw notABackup(archive, error.message);
    throw new ConfigError(`${archive} cannot be extracted: ${error.message}. Nothing was changed.`, {
      cause: error,
    });
  }
}

function requiredFiles(database: Manifest["database"]): readonly BackupFile[] {
  const always: readonly BackupFile[] = [identityName, profileName];
  return database === "sqlite" ? [databaseName, ...always] : always;
}

function secretKeyFile(hasSecretKey: boolean): readonly BackupFile[] {
  return hasSecretKey ? [secretKeyName] : [];
}

function parseManifest(archive: string, text: string): Manifest {
  const manifest = v.safeParse(manifestSchema, parseJson(text));
  if (!manifest.success) throw notABackup(archive, `its ${manifestName} is invalid`);
  if (manifest.output.version > formatVersion) {
    throw new ConfigError(
      `${archive} has format version ${manifest.output.version}, and this Peerdeck reads version ${formatVersion}. ` +
        "Nothing was changed. Upgrade Peerdeck, and try again.",
    );
  }
  return manifest.output;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function notABackup(archive: string, reason: string): ConfigError {
  return new ConfigError(
    `${archive} is damaged or is no backup of Peerdeck: ${reason}. Nothing was changed. Use another backup.`,
  );
}

async function measure(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}
