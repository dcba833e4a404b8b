/** Copies of the database alone, such as the server makes before a migration. */
import { copyFile, open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { syncPath } from "#system/durable-file.ts";
import { assertIntact, copySqlite, createPrivateFile } from "../db/sqlite/database-file.ts";
import type { databaseNames } from "./archive.ts";

type DatabaseKind = keyof typeof databaseNames;

/** How the files of the two kinds begin. */
const beginnings: ReadonlyArray<readonly [string, DatabaseKind]> = [
  ["SQLite format 3\0", "sqlite"],
  ["PGDMP", "postgres"],
];
const copyTime = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-before-/;

/** Returns the kind of a copy; null if the file is none, as an archive of a backup. */
export async function findCopyKind(file: string): Promise<DatabaseKind | null> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
  const start = buffer.toString("latin1", 0, bytesRead);
  return beginnings.find(([beginning]) => start.startsWith(beginning))?.[1] ?? null;
}

/** Copies the copy to a new file that only its owner may access. Throws if an SQLite database is damaged. */
export async function stageCopy(file: string, kind: DatabaseKind, target: string): Promise<void> {
  if (kind === "sqlite") {
    assertIntact(file);
    // Unlike a copy of the file, with what is in a `-wal` file beside it.
    await copySqlite(file, target);
    return;
  }
  await createPrivateFile(target);
  await copyFile(file, target);
  await syncPath(target);
}

/** Returns when the copy was made: by its name, because a copied file may have another time. */
export async function readCopyTime(file: string): Promise<Date> {
  const [, day, hours, minutes, seconds, ms] = copyTime.exec(basename(file)) ?? [];
  if (day !== undefined) return new Date(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
  return (await stat(file)).mtime;
}
