import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "../../support/repository.ts";

export interface SourceFile {
  /** From the top folder, with slashes: "src/domain/asn.ts". */
  readonly name: string;
  readonly text: string;
}

/** Every TypeScript file below the given top-level folders, generated ones left out. */
export async function sourceFiles(...folders: readonly string[]): Promise<readonly SourceFile[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(path.join(repository, folder), { recursive: true });
      return entries.map((entry) => path.posix.join(folder, entry.split(path.sep).join("/")));
    }),
  );
  const names = found.flat().filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".gen.ts"));
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(path.join(repository, name), "utf8") })),
  );
}

/** The relative specifiers that a module's text imports or re-exports from. */
export function relativeImports(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/(?:\bfrom|\bimport\(?)\s*"(\.[^"]*)"/g),
    ([, specifier]) => specifier ?? "",
  );
}
