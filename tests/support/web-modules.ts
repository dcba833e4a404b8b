import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "vite";

/** The source modules of each file of the built web app, by file name. Module paths are relative to the top folder. */
export type WebModules = Readonly<Record<string, readonly string[]>>;

const modulesPath = ".vite/modules.json";
export const webModulesFile = `build/web/${modulesPath}`;

/** A Vite plugin that writes the list for the size check. Vite's manifest contains chunks without their modules. */
export function listWebModules(): Plugin {
  let [root, outDir] = ["", ""];
  return {
    name: "peerdeck:list-web-modules",
    apply: "build",
    configResolved(config) {
      root = config.root;
      outDir = path.resolve(root, config.build.outDir);
    },
    async writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const modules: WebModules = Object.fromEntries(
        chunks.map(({ fileName, moduleIds }) => [
          fileName,
          moduleIds.map((id) => path.relative(root, id.replace(/^\0/, ""))),
        ]),
      );
      const file = path.join(outDir, modulesPath);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(modules, null, 2));
    },
  };
}
