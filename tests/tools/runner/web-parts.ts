/** Splits a built web app into the first route and the parts that load later, using Vite's manifest. */

interface ManifestChunk {
  readonly file: string;
  readonly src?: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  /** Keys of chunks that this one imports statically. */
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
export type Manifest = Readonly<Record<string, ManifestChunk>>;

export interface WebPart {
  readonly name: string;
  /** Names of the files that this part loads. Files of the first part are omitted from all others. */
  readonly files: readonly string[];
}

/** Source files of the routes that are rendered together at one address, from the outermost inwards. */
export interface RouteFiles {
  readonly name: string;
  readonly sources: readonly string[];
}

/**
 * Returns the first route with the entry, then the other named routes, then every lazily loaded part by its source.
 * A file that several later parts load is in each of them.
 */
export function webParts(
  manifest: Manifest,
  first: RouteFiles,
  others: readonly RouteFiles[],
): readonly WebPart[] {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true);
  if (entries.length === 0) throw new Error("the manifest has no entry");
  const firstFiles = filesOf(manifest, [...entries, ...lazyChunksOf(manifest, first)]);
  const later = (keys: readonly string[]) =>
    filesOf(manifest, keys).filter((file) => !firstFiles.includes(file));
  const lazy = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry === true);
  return [
    { name: first.name, files: firstFiles },
    ...others.map((route) => ({ name: route.name, files: later(lazyChunksOf(manifest, route)) })),
    ...lazy
      .map((key) => ({ name: manifest[key]?.src ?? key, files: later([key]) }))
      .filter(({ files }) => files.length > 0),
  ];
}

/** Returns a route's own chunks: the router splits `routes/map.tsx` into `routes/map.tsx?tsr-split=component`. */
function lazyChunksOf(manifest: Manifest, route: RouteFiles): readonly string[] {
  return Object.entries(manifest)
    .filter(([key, { src }]) => route.sources.includes((src ?? key).replace(/\?.*$/, "")))
    .map(([key]) => key);
}

/** Returns the files of the chunks and of their static imports, sorted. */
function filesOf(manifest: Manifest, keys: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const queue = [...keys];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the manifest has no chunk ${key}`);
    queue.push(...(chunk.imports ?? []));
  }
  const chunks = Array.from(seen, (key) => manifest[key]);
  const files = chunks.flatMap((chunk) => [chunk?.file ?? [], chunk?.css ?? []].flat());
  return [...new Set(files)].toSorted();
}
