/**
 * A part of the app that cannot be loaded: mostly because the server has a newer version, and neither it nor the
 * device kept the files of this one. The newer version is loaded then, once: all that were loaded so are noted for as
 * long as the tab lives, so that servers with different versions do not make it go round in circles.
 */
import { entryOf, entryOnServer, loadNewest } from "./newest-version.ts";

const name = "MissingPart";
const noted = "peerdeck-loaded-for-missing-part";

/** Gives the errors of parts that cannot be loaded a name, for `isMissingPart`. */
export function nameMissingParts(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => {
    payload.name = name;
    // By its text the router knows it, and would load the page anew whatever somebody has typed.
    payload.message = `A part of the app is missing. ${payload.message}`;
  });
}

export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && error.name === name;
}

/**
 * - `loading`: there is a newer version, and the page is being loaded anew.
 * - `offline`: the server cannot be asked.
 * - `missing`: nothing newer is there, or it was loaded before and did not help.
 */
export type Recovery = "loading" | "offline" | "missing";

/** @param onLoading called before the page goes. */
export async function recover(onLoading: () => void): Promise<Recovery> {
  const newest = await entryOnServer();
  if (newest === null) return "offline";
  if (newest === entryOf(document) || !noteOnce(newest)) return "missing";
  onLoading();
  await loadNewest();
  return "loading";
}

/** False where it was noted before, or cannot be. One a line. */
function noteOnce(entry: string): boolean {
  try {
    const entries = sessionStorage.getItem(noted)?.split("\n") ?? [];
    if (entries.includes(entry)) return false;
    sessionStorage.setItem(noted, [...entries, entry].join("\n"));
    return true;
  } catch {
    return false;
  }
}
