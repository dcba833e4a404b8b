/** Builds of the web app that differ only in the names of their files. */
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { repository } from "../../support/repository.ts";

const entry = join(repository, "src/web/main.tsx");

/** Builds a version for each name, and returns their folders. */
export async function buildVersions(names: readonly string[]): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const name of names) {
    const outDir = join(repository, "build/chaos", name);
    await build({
      root: repository,
      logLevel: "warn",
      plugins: [version(name)],
      build: { outDir, emptyOutDir: true },
    });
    folders.push(outDir);
  }
  return folders;
}

/** Writes the version's name into the document, which changes the entry's content and every file name that depends on it. */
function version(name: string): Plugin {
  return {
    name: "chaos-version",
    enforce: "pre",
    transform: (code, id) =>
      id === entry ? `${code}\ndocument.documentElement.dataset.version = ${JSON.stringify(name)};` : null,
  };
}
