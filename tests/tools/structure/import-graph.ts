import { importedFiles, type SourceFile } from "./source-files.ts";

/** A file's name, mapped to the names of the files that it imports, type-only imports included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function importGraph(files: readonly SourceFile[]): ImportGraph {
  const names = new Set(files.map(({ name }) => name));
  return new Map(files.map((file) => [file.name, importedFiles(file).filter((target) => names.has(target))]));
}

/**
 * The groups of files that import each other, directly or through others (Tarjan's strongly connected components of
 * more than one file, and files that import themselves). Each group and the list are sorted.
 */
export function importCycles(graph: ImportGraph): ReadonlyArray<readonly string[]> {
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  function visit(name: string): void {
    index.set(name, index.size);
    lowest.set(name, index.size - 1);
    stack.push(name);
    for (const target of graph.get(name) ?? []) {
      if (!index.has(target)) {
        visit(target);
        lower(name, lowest.get(target));
      } else if (stack.includes(target)) lower(name, index.get(target));
    }
    if (lowest.get(name) !== index.get(name)) return;
    const group = stack.splice(stack.indexOf(name));
    const importsItself = (graph.get(name) ?? []).includes(name);
    if (group.length > 1 || importsItself) cycles.push(group.toSorted());
  }

  function lower(name: string, candidate = Infinity): void {
    lowest.set(name, Math.min(lowest.get(name) ?? Infinity, candidate));
  }

  for (const name of graph.keys()) if (!index.has(name)) visit(name);
  return cycles.toSorted(([a = ""], [b = ""]) => a.localeCompare(b));
}
