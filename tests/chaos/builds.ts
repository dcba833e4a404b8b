/** Versions of the web app that differ in nothing but their files' names. */
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { repository } from "../setup/repository.ts";

const entry = join(repository, "src/web/main.tsx");

/** Builds them, and answers their folders. */
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

/** Says its name in the document, so that the entry's content, and with it every name that leads to it, is another. */
function version(name: string): Plugin {
  return {
    name: "chaos-version",
    enforce: "pre",
    transform: (code, id) =>
      id === entry ? `${code}\ndocument.documentElement.dataset.version = ${JSON.stringify(name)};` : null,
  };
}
