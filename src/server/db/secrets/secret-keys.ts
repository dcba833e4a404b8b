/**
 * The keys that seal secrets in the database. They are outside of it: in `PEERDECK_SECRET`, or in the file `secret.key`
 * of the data folder. Both have the same form: keys of 32 bytes in base64, separated by commas or white space. The first
 * one seals; the others open what was sealed before a change of keys.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createFile } from "#system/durable-file.ts";

export const secretKeyName = "secret.key";
const keyBytes = 32;
/** 32 bytes, in base64 or base64url, with or without padding. */
const keyShape = /^[A-Za-z0-9+/_-]{43}=?$/;

/** The keys are invalid, or they do not open the secrets in the database. The message is for the operator. */
export class SecretKeyError extends Error {
  override readonly name = "SecretKeyError";
}

/**
 * Reads the keys, those of `PEERDECK_SECRET` first. Returns none if there are none yet.
 *
 * @throws {SecretKeyError} if a key is invalid, or other users may read the file
 */
export async function readSecretKeys(dataDir: string, variable: string | null): Promise<readonly Buffer[]> {
  const ofVariable = variable === null ? [] : parseSecretKeys(variable, "The variable PEERDECK_SECRET");
  return [...ofVariable, ...(await readSecretKeyFile(join(dataDir, secretKeyName)))];
}

/** Returns none if there is no such file. Throws `SecretKeyError` if it is invalid or other users may read it. */
export async function readSecretKeyFile(path: string): Promise<readonly Buffer[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new SecretKeyError(`${path} cannot be read (${error.code}).`, { cause: error });
  });
  if (text === null) return [];
  if (process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0) {
    throw new SecretKeyError(
      `${path} contains a secret key and other users may read it. Run: chmod 600 ${path}`,
    );
  }
  return parseSecretKeys(text, path);
}

function parseSecretKeys(text: string, source: string): readonly Buffer[] {
  const keys = text.split(/[\s,]+/).filter((key) => key !== "");
  if (keys.length === 0 || !keys.every((key) => keyShape.test(key))) {
    throw new SecretKeyError(
      `${source} must contain a key of ${keyBytes} bytes in base64, such as the output of: openssl rand -base64 ${keyBytes}`,
    );
  }
  return keys.map((key) => Buffer.from(key, "base64"));
}

/**
 * Creates the file with a new key, readable by its owner only, and returns the keys in the file. If another server has
 * created the file first, these are its keys. The file is complete when it appears.
 */
export async function createSecretKeyFile(dataDir: string): Promise<readonly Buffer[]> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, secretKeyName);
  await createFile(path, `${randomBytes(keyBytes).toString("base64")}\n`);
  return readSecretKeyFile(path);
}
