interface ManifestChunk {
  readonly file: string;
  readonly src?: string;
  /** Keys of chunks that this one imports statically. */
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
/** Vite's list of the built web app's chunks. */
export type Manifest = Readonly<Record<string, ManifestChunk>>;

/**
 * Returns the files that the browser loads for the app's page and a route, sorted. The router splits `routes/map.tsx` into
 * `routes/map.tsx?tsr-split=component`.
 *
 * @param sources the source files that are rendered together at one address
 */
export function builtFiles(manifest: Manifest, sources: readonly string[]): readonly string[] {
  const keys = Object.entries(manifest)
    .filter(([key, { src = key }]) => key === "index.html" || sources.includes(src.replace(/\?.*$/, "")))
    .map(([key]) => key);
  // A set's iteration includes values added during it.
  const found = new Set(keys);
  const files = new Set<string>();
  for (const key of found) {
    const { file, imports = [], css = [] } = manifest[key] ?? {};
    if (file === undefined) throw new Error(`the manifest has no chunk ${key}`);
    for (const each of imports) found.add(each);
    for (const each of [file, ...css]) files.add(each);
  }
  return [...files].toSorted();
}
