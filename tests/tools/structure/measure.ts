import path from "node:path";
import { type ImportGraph, importCycles, importGraph } from "./import-graph.ts";
import { type SourceFile, sourceFiles } from "./source-files.ts";

export interface Structure {
  /** TypeScript files below src that are neither tests nor generated, longest first. */
  readonly productFiles: readonly Measured[];
  /** TypeScript files below tests, and tests below src, longest first. */
  readonly testFiles: readonly Measured[];
  /** Folders below src with the number of product files that lie directly in them, fullest first. */
  readonly folders: ReadonlyArray<{ readonly name: string; readonly files: number }>;
  /** What product files import from each other. */
  readonly imports: ImportGraph;
  /** Groups of product files that import each other. */
  readonly cycles: ReadonlyArray<readonly string[]>;
}

export interface Measured {
  /** From the top folder, with slashes. */
  readonly name: string;
  readonly lines: number;
}

/** Reads the checkout and measures it. */
export async function measureStructure(): Promise<Structure> {
  const files = await sourceFiles("src", "tests");
  const product = files.filter(({ name }) => name.startsWith("src/") && !isTest(name));
  const imports = importGraph(product);
  return {
    productFiles: longestFirst(product),
    testFiles: longestFirst(files.filter((file) => !product.includes(file))),
    folders: countByFolder(product),
    imports,
    cycles: importCycles(imports),
  };
}

function isTest(name: string): boolean {
  return /\.test\.tsx?$/.test(name);
}

/** Counts the lines of files. */
export function longestFirst(files: readonly SourceFile[]): readonly Measured[] {
  return files
    .map(({ name, text }) => ({ name, lines: text.split("\n").length - 1 }))
    .toSorted((a, b) => b.lines - a.lines || a.name.localeCompare(b.name));
}

function countByFolder(files: readonly SourceFile[]): Structure["folders"] {
  const counts = new Map<string, number>();
  for (const { name } of files) {
    const folder = path.posix.dirname(name);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return Array.from(counts, ([name, count]) => ({ name, files: count })).toSorted(
    (a, b) => b.files - a.files || a.name.localeCompare(b.name),
  );
}
