/**
 * A restore is recorded in the audit log by the next start of the server: the restored database may be of an older
 * version, and with PostgreSQL it is restored only afterwards. Until then a note in the data folder says so.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";

export const restoreNoteName = "restored.json";

const noteSchema = v.object({ restoredAt: v.string(), backupOf: v.string() });
export type RestoreNote = v.InferOutput<typeof noteSchema>;

/** Writes the note into a folder. Both times are ISO 8601. */
export async function writeRestoreNote(folder: string, note: RestoreNote): Promise<void> {
  await writeFile(join(folder, restoreNoteName), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** Passes an existing note on, and then deletes it. A crash between the two passes it on again. */
export async function takeRestoreNote(
  folder: string,
  record: (note: RestoreNote) => Promise<unknown>,
): Promise<void> {
  const path = join(folder, restoreNoteName);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return;
  await record(v.parse(v.pipe(v.string(), v.parseJson(), noteSchema), text));
  await rm(path);
}
