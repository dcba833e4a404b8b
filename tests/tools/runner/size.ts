/** `npm run size`: measures the compressed size of the web app's parts, and fails if one exceeds its budget. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { repository } from "../../support/repository.ts";
import { type WebModules, webModulesFile } from "../../support/web-modules.ts";
import { type Manifest, type WebPart, webParts } from "./web-parts.ts";

const routes = "src/web/routes";
const firstRoute = {
  name: "first route",
  sources: ["__root.tsx", "_main.tsx", "_main/index.tsx"].map((file) => `${routes}/${file}`),
};
const manager = {
  name: "manager",
  sources: ["manager.tsx", "manager/index.tsx"].map((file) => `${routes}/${file}`),
};

/** Bytes of HTML, JS and CSS together, gzip. Later parts do not count the files of the first route. */
const budgets: Readonly<Record<string, number>> = { [firstRoute.name]: 167_800, [manager.name]: 60_000 };

/** Modules that the first route must not load. */
const excludedFromFirstRoute: ReadonlyArray<{ readonly what: string; readonly module: RegExp }> = [
  { what: "the long lists' library", module: /node_modules\/@tanstack\/(react-virtual|virtual-core)\// },
  { what: "Leaflet", module: /node_modules\/(react-)?leaflet\// },
  { what: "a manager route's component", module: /src\/web\/routes\/manager.*tsr-split/ },
  {
    what: "a component that only the manager uses",
    module: /node_modules\/@(zag-js|ark-ui\/react\/dist\/components)\/(dialog|tabs|menu)\//,
  },
];

interface CompressedSize {
  readonly gzip: number;
  readonly brotli: number;
}

const none: CompressedSize = { gzip: 0, brotli: 0 };

const web = path.join(repository, "build/web");
const manifest = await readJson<Manifest>("build/web/.vite/manifest.json");
const modules = await readJson<WebModules>(webModulesFile);
const parts = webParts(manifest, firstRoute, [manager]);

const violations: string[] = [];
print(
  `${"part".padEnd(40)}${["JS gzip", "CSS gzip", "HTML gzip", "brotli"].map((head) => head.padStart(11)).join("")}`,
);
for (const part of parts) {
  const js = await measureSize(part, ".js");
  const css = await measureSize(part, ".css");
  const html = part.name === firstRoute.name ? await measureFiles(["index.html"]) : none;
  const name = part.name.replace(`${routes}/`, "").replace(/\?tsr-split=.*$/, "");
  const brotli = js.brotli + css.brotli + html.brotli;
  print(name.padEnd(40) + [js.gzip, css.gzip, html.gzip, brotli].map(kilobytes).join(""));
  const budget = budgets[part.name];
  if (budget !== undefined && js.gzip + css.gzip + html.gzip > budget) {
    violations.push(`The ${part.name} is over its budget of${kilobytes(budget)}.`);
  }
  if (part.files.length === 0)
    violations.push(`No file belongs to the ${part.name}: its route files have moved.`);
}
violations.push(...findExcludedModules(parts[0]));

for (const fault of violations) print(fault);
process.exitCode = violations.length === 0 ? 0 : 1;

function findExcludedModules(first: WebPart | undefined): readonly string[] {
  const loaded = (first?.files ?? []).flatMap((file) => modules[file] ?? []);
  if (loaded.length === 0) return [`${webModulesFile} does not list the first route. Build again.`];
  return excludedFromFirstRoute.flatMap(({ what, module }) => {
    const found = loaded.find((id) => module.test(id));
    return found === undefined ? [] : [`The first route loads ${what}: ${found}`];
  });
}

async function measureSize(part: WebPart, extension: string): Promise<CompressedSize> {
  return measureFiles(part.files.filter((file) => file.endsWith(extension)));
}

async function measureFiles(files: readonly string[]): Promise<CompressedSize> {
  const weights = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(path.join(web, file));
      return {
        gzip: gzipSync(bytes, { level: 9 }).length,
        brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
      };
    }),
  );
  return {
    gzip: weights.reduce((sum, weight) => sum + weight.gzip, 0),
    brotli: weights.reduce((sum, weight) => sum + weight.brotli, 0),
  };
}

async function readJson<T>(name: string): Promise<T> {
  const text = await readFile(path.join(repository, name), "utf8").catch(() => null);
  if (text === null) throw new Error(`${name} is missing. Build the web app first: npm run build`);
  return JSON.parse(text) as T;
}

/** 1 kB is 1000 bytes. */
function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(11);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
