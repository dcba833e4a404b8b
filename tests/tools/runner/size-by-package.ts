import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, minifySync, type Rolldown } from "vite";
import { createScratchFolder } from "../../support/scratch-folder.ts";

/** Bytes of a module, and of the modules of a package or of a folder of the app. */
interface Part {
  readonly name: string;
  /** Without what the bundler leaves out, and minified. */
  readonly minified: number;
  /** Its share of the compressed files: by what it takes compressed alone. */
  readonly brotli: number;
  readonly gzip: number;
}

/**
 * Builds the app once more, because only the bundler knows what it takes of each module, and returns the parts of these
 * files by size.
 */
export async function measurePackages(files: readonly string[]): Promise<readonly Part[]> {
  const chunks = (await buildChunks()).filter(({ fileName }) => files.includes(fileName));
  if (chunks.length === 0) throw new Error("The files are of another build. Build again: npm run build");
  const parts = new Map<string, Part>();
  for (const { code: whole, modules } of chunks) {
    const own = Object.entries(modules).map(([id, { code }]) => {
      const minified = minifySync("module.js", code ?? "").code;
      return { name: nameOf(id), minified: minified.length, brotli: brotli(minified), gzip: gzip(minified) };
    });
    const sum = (kind: "brotli" | "gzip") => own.reduce((total, each) => total + each[kind], 0);
    const factors = { brotli: brotli(whole) / sum("brotli"), gzip: gzip(whole) / sum("gzip") };
    for (const each of own) {
      const known = parts.get(each.name) ?? { minified: 0, brotli: 0, gzip: 0 };
      parts.set(each.name, {
        name: each.name,
        minified: known.minified + each.minified,
        brotli: known.brotli + each.brotli * factors.brotli,
        gzip: known.gzip + each.gzip * factors.gzip,
      });
    }
  }
  return [...parts.values()].toSorted((a, b) => b.brotli - a.brotli);
}

async function buildChunks(): Promise<readonly Rolldown.OutputChunk[]> {
  await using parts = new AsyncDisposableStack();
  const outDir = await createScratchFolder((remove) => parts.defer(remove));
  const found: Rolldown.OutputChunk[] = [];
  await build({
    logLevel: "silent",
    build: { outDir },
    plugins: [
      {
        name: "peerdeck:collect-chunks",
        generateBundle(_, bundle) {
          found.push(...Object.values(bundle).filter((output) => output.type === "chunk"));
        },
      },
    ],
  });
  return found;
}

/** The package, or the folder two levels below `src`. */
function nameOf(id: string): string {
  const file = id.replace(/^\0/, "").replace(/\?.*$/, "");
  const [, packageName] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  const [, own] = /\/(src\/[^/]+(?:\/[^/.]+){0,2})/.exec(file) ?? [];
  return packageName ?? own ?? file;
}

const brotli = (code: string) => brotliCompressSync(code).length;
const gzip = (code: string) => gzipSync(code, { level: 9 }).length;
