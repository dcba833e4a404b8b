/** Folders that take long to make. They are made once, outside the checkout, and kept for later runs. */
import { randomUUID } from "node:crypto";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { runAsRoot } from "./root-command.ts";

const cache = "/var/cache/peerdeck-tests";

/**
 * Returns the folder of this name, which nothing may change.
 *
 * @param make makes it at a temporary path, where nothing exists. The parent belongs to root.
 */
export async function openCachedFolder(
  name: string,
  make: (temporary: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, name);
  if (await exists(folder)) return folder;
  const temporary = `${folder}.${randomUUID()}`;
  await runAsRoot("mkdir", "-p", cache);
  try {
    await make(temporary);
    // Another run may have been faster.
    await runAsRoot("mv", "-T", temporary, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await runAsRoot("rm", "-rf", temporary);
  }
  return folder;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
