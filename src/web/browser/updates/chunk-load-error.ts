/**
 * Chunks of the app that cannot be loaded, usually because the server has a newer version and neither the server nor
 * the device has kept the files of this one. The page then loads the newer version, once: the tab remembers which
 * versions it loaded for this reason, so servers with different versions cannot cause a reload loop.
 */
import { readWebStorage, writeWebStorage } from "#browser-storage/web-storage.ts";
import { fetchNewestEntry, findEntry, reloadNewestVersion } from "./newest-version.ts";

const errorName = "ChunkLoadError";
/** Persisted name; one entry script a line. */
const loadedEntriesKey = "chunk-load-reloads";

/** Gives errors of chunks that cannot be loaded a name, for `isChunkLoadError`. Other errors keep theirs. */
export function markChunkLoadErrors(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => {
    if (!isLoadError(payload)) return;
    payload.name = errorName;
    // The router recognises the original text and would reload the page, whatever has been typed into it.
    payload.message = `A part of the app is missing. ${payload.message}`;
  });
}

/**
 * Vite reports all errors of an `import()`, including those that the chunk's own code throws. Browsers throw a TypeError
 * if a chunk cannot be loaded, and a SyntaxError if a chunk of another version lacks an export. Vite throws the error
 * for style sheets.
 */
function isLoadError(error: Error): boolean {
  return (
    error instanceof TypeError ||
    error instanceof SyntaxError ||
    error.message.startsWith("Unable to preload CSS")
  );
}

export function isChunkLoadError(error: unknown): boolean {
  return error instanceof Error && error.name === errorName;
}

/**
 * - `loading`: there is a newer version, and the page is being reloaded.
 * - `offline`: the server cannot be reached.
 * - `missing`: there is nothing newer, or loading it before did not help.
 */
export type Recovery = "loading" | "offline" | "missing";

/** @param onLoading called before the page is reloaded. */
export async function recoverFromChunkLoadError(onLoading: () => void): Promise<Recovery> {
  const newest = await fetchNewestEntry();
  if (newest === null) return "offline";
  if (newest === findEntry(document) || !recordLoadedEntry(newest)) return "missing";
  onLoading();
  await reloadNewestVersion();
  return "loading";
}

/** False if the entry was recorded before, or cannot be. */
function recordLoadedEntry(entry: string): boolean {
  const entries = readWebStorage("sessionStorage", loadedEntriesKey)?.split("\n") ?? [];
  if (entries.includes(entry)) return false;
  return writeWebStorage("sessionStorage", loadedEntriesKey, [...entries, entry].join("\n"));
}
