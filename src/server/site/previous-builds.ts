import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";

const maxAgeMs = 30 * 24 * 3_600_000;
/** About fifty builds, since consecutive builds share most files. */
const maxBytes = 50_000_000;

/**
 * Copies the files of this build into a folder that later builds share, and deletes files that no build has contained
 * for 30 days, and the oldest if the folder is too large. A page that was opened before an update, in a browser without
 * a service worker, can still load its chunks.
 *
 * @param files locations of the build's files, whose names contain a hash.
 * @returns the locations of all files in the folder, by name.
 */
export function archiveBuild(
  files: readonly string[],
  folder: string,
  now: Date,
): ReadonlyMap<string, string> {
  mkdirSync(folder, { recursive: true });
  const known = new Set(readdirSync(folder));
  for (const file of files) {
    const copy = join(folder, basename(file));
    if (!known.has(basename(file))) {
      const temporary = `${copy}.new`;
      copyFileSync(file, temporary);
      renameSync(temporary, copy);
    }
    // The time when a build last contained the file.
    utimesSync(copy, now, now);
  }
  const newestFirst = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileInfo(join(folder, name), now))
    .toSorted((a, b) => a.ageMs - b.ageMs);
  let bytes = 0;
  const locations = new Map<string, string>();
  for (const { name, location, size, ageMs } of newestFirst) {
    bytes += size;
    if (ageMs > maxAgeMs || bytes > maxBytes || name.endsWith(".new")) rmSync(location);
    else locations.set(name, location);
  }
  return locations;
}

function readFileInfo(location: string, now: Date) {
  const { size, mtimeMs } = statSync(location);
  return { name: basename(location), location, size, ageMs: now.getTime() - mtimeMs };
}
