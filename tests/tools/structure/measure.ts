import { readFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "../../support/repository.ts";
import { type ImportGraph, importCycles, importGraph } from "./import-graph.ts";
import { filesBelow, isSource, type SourceFile, sourceFiles } from "./source-files.ts";

export interface Structure {
  /** TypeScript files below src that are neither tests nor generated, longest first. */
  readonly productFiles: readonly Measured[];
  /** TypeScript files below tests, and tests below src, longest first. */
  readonly testFiles: readonly Measured[];
  /** What tests read: recordings and the like. */
  readonly fixtures: readonly Measured[];
  /** The words of the documents, those of the decisions among them, without the change log. */
  readonly documentWords: number;
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
    fixtures: longestFirst(await filesBelow(["tests/fixtures"], (name) => !isSource(name))),
    documentWords: await countDocumentWords(),
    folders: countByFolder(product),
    imports,
    cycles: importCycles(imports),
  };
}

/** The middle value; 0 if there is none. */
export function medianLines(files: readonly Measured[]): number {
  return files.map(({ lines }) => lines).toSorted((a, b) => a - b)[Math.floor(files.length / 2)] ?? 0;
}

async function countDocumentWords(): Promise<number> {
  const below = await filesBelow(["docs"], (name) => name.endsWith(".md"));
  const top = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];
  const texts = await Promise.all(top.map((name) => readFile(path.join(repository, name), "utf8")));
  const all = [...texts, ...below.map(({ text }) => text)];
  return all.reduce((sum, text) => sum + text.split(/\s+/).filter(Boolean).length, 0);
}

function isTest(name: string): boolean {
  return /\.test\.tsx?$/.test(name);
}

function longestFirst(files: readonly SourceFile[]): readonly Measured[] {
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
