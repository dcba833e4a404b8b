import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "#system/config/config-error.ts";
import { createFile } from "#system/durable-file.ts";

/** Creates the folder of a profile, if it is missing. Throws `ConfigError` if no file can be created in it. */
export async function prepareFolder(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o750 });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw writeError(path, error);
  }
}

/**
 * Creates the profile, for its owner and the group of its folder: the server's group, if the package made the folder.
 * Throws `ConfigError` if it exists or cannot be written.
 */
export async function createProfile(path: string, text: string): Promise<void> {
  try {
    const { gid } = await stat(dirname(path));
    // Only root may give a file to another group. The group of another user may contain strangers.
    const isRoot = process.geteuid?.() === 0;
    const isCreated = await createFile(path, text, isRoot ? { mode: 0o640, gid } : {});
    if (!isCreated)
      throw new ConfigError(`${path} exists and was not changed. Another program has created it.`);
  } catch (error) {
    throw error instanceof ConfigError ? error : writeError(path, error);
  }
}

function writeError(path: string, error: unknown): ConfigError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new ConfigError(
    `${path} cannot be written (${code ?? message}). Run setup as root or the owner of its folder, make space on its disk, or ` +
      "name another file with --config.",
    { cause: error },
  );
}
