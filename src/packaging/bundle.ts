/** How programs that run in Node.js are bundled, with all packages that they use. */
import { basename, dirname, join, relative } from "node:path";
import type { InlineConfig, Plugin } from "vite";

/** The checkout's folder. */
export const root = join(import.meta.dirname, "../..");
/** Where the programs of `npm start` are, from the root. */
export const programsFolder = "build/programs";

/**
 * Returns Vite's configuration of a bundle without its folder.
 *
 * @param input the programs' sources by the names of their files
 * @param isOneFile whether the program is one file, and reads no other files of the checkout
 */
export function bundleConfig(
  input: Readonly<Record<string, string>>,
  { isOneFile }: { readonly isOneFile: boolean },
): InlineConfig {
  return {
    root,
    // Ignores the web app's configuration.
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, target: "node" },
    plugins: isOneFile ? [] : [placesOfSources()],
    build: {
      ssr: true,
      emptyOutDir: true,
      target: "node24",
      // Not minified, so that providers can read the program that they run, and its errors.
      minify: false,
      // The licenses of the bundled packages ask for it.
      license: { fileName: "licenses.md" },
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(input).map(([name, source]) => [name, join(root, source)])),
        output: {
          entryFileNames: "[name].mjs",
          chunkFileNames: "[name]-[hash].mjs",
          ...(isOneFile && { codeSplitting: false }),
        },
      },
    },
  };
}

/**
 * Gives each module the folder of its source, and bundles the threads that it starts. Such a bundle is in `build/programs` of a
 * checkout or of an installation, and reads the other files, such as the list of common passwords, from their places there.
 */
function placesOfSources(): Plugin {
  const sources = join(root, "src/");
  return {
    name: "peerdeck:places-of-sources",
    transform(code, id) {
      if (!id.startsWith(sources) || !code.includes("import.meta.")) return null;
      const source = join(relative(programsFolder, ""), relative(root, id));
      return code
        .replaceAll(/new Worker\(new URL\("(.*?)", import\.meta\.url\)/g, (_, thread: string) => {
          const name = basename(thread, ".ts");
          this.emitFile({ type: "chunk", id: join(dirname(id), thread), fileName: `${name}.mjs` });
          return `new Worker(import.meta.dirname + "/${name}.mjs"`;
        })
        .replaceAll(
          /import\.meta\.dirname(?! \+ "\/.*?\.mjs")/g,
          () => `(import.meta.dirname + "/${dirname(source)}")`,
        )
        .replaceAll(/import\.meta\.url/g, () => `new URL("${source}", import.meta.url)`);
    },
  };
}
