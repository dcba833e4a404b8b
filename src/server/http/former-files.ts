import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";

const keptMs = 30 * 24 * 3_600_000;
/** About fifty builds, since most of a build is what the one before had. */
const mostBytes = 50_000_000;

/**
 * Copies the files of this build into a folder that outlives it, and drops what has been part of no build for 30 days,
 * the oldest first where the folder grows too large. A page that was opened before an update, in a browser
 * without a service worker, still finds its parts that way.
 *
 * @param files locations of the build's files, whose names hold a hash.
 * @returns locations by name of all that is in the folder now.
 */
export function keepFormerFiles(
  files: readonly string[],
  folder: string,
  now: Date,
): ReadonlyMap<string, string> {
  mkdirSync(folder, { recursive: true });
  const known = new Set(readdirSync(folder));
  for (const file of files) {
    const kept = join(folder, basename(file));
    if (!known.has(basename(file))) {
      const aside = `${kept}.new`;
      copyFileSync(file, aside);
      renameSync(aside, kept);
    }
    // When it was last part of a build.
    utimesSync(kept, now, now);
  }
  const newestFirst = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => describe(join(folder, name), now))
    .toSorted((a, b) => a.ageMs - b.ageMs);
  let bytes = 0;
  const locations = new Map<string, string>();
  for (const { name, location, size, ageMs } of newestFirst) {
    bytes += size;
    if (ageMs > keptMs || bytes > mostBytes || name.endsWith(".new")) rmSync(location);
    else locations.set(name, location);
  }
  return locations;
}

function describe(location: string, now: Date) {
  const { size, mtimeMs } = statSync(location);
  return { name: basename(location), location, size, ageMs: now.getTime() - mtimeMs };
}
