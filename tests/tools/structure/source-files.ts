import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "../../support/repository.ts";

export interface SourceFile {
  /** From the top folder, with slashes: "src/domain/asn.ts". */
  readonly name: string;
  readonly text: string;
}

/** Every TypeScript file below the given top-level folders, generated ones left out. */
export function sourceFiles(...folders: readonly string[]): Promise<readonly SourceFile[]> {
  return filesBelow(folders, isSource);
}

export function isSource(name: string): boolean {
  return /\.tsx?$/.test(name) && !name.endsWith(".gen.ts");
}

/** The files below folders of the repository whose names are accepted. */
export async function filesBelow(
  folders: readonly string[],
  accept: (name: string) => boolean,
): Promise<readonly SourceFile[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(path.join(repository, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) =>
          path.relative(repository, path.join(parentPath, name)).split(path.sep).join("/"),
        );
    }),
  );
  return Promise.all(
    found
      .flat()
      .filter(accept)
      .map(async (name) => ({ name, text: await readFile(path.join(repository, name), "utf8") })),
  );
}

/** The files of this repository that a file imports or re-exports from, by their names. */
export function importedFiles({ name, text }: SourceFile): readonly string[] {
  return specifiersOf(text).map((specifier) => {
    const target = specifier.replace(/\?.*$/, "");
    if (target.startsWith("#tests/")) return target.slice(1);
    if (target.startsWith("#")) return `src/${target.slice(1)}`;
    return path.posix.join(path.posix.dirname(name), target);
  });
}

/** The specifiers of this repository's files in a module's text: relative ones, and the package's own ("#domain/…"). */
export function specifiersOf(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/(?:\bfrom|\bimport\(?)\s*"([.#][^"]*)"/g),
    ([, specifier]) => specifier ?? "",
  );
}

/** The packages and modules of Node.js that a module's text imports. */
export function packagesOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?:\bfrom|\bimport\(?)\s*"([\w@][^"\s]*)"/g), ([, name]) => name ?? "");
}
