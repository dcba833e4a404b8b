/**
 * `npm run size`: measures the compressed size of the web app's first screens, and fails if one exceeds its budget.
 * `-- --by-package` also prints what each package and each folder of the app takes of the first one.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { repository } from "../../support/repository.ts";
import { type WebModules, webModulesFile } from "../../support/web-modules.ts";
import { formatTable } from "../bench/figures.ts";
import { builtFiles, type Manifest } from "./built-files.ts";
import { measurePackages } from "./size-by-package.ts";

const { values } = parseArgs({ options: { "by-package": { type: "boolean", default: false } } });

/** Budgets are bytes of HTML, JS and CSS together, gzip. The manager does not count the files of the first route. */
const firstRoute = { sources: ["__root.tsx", "_main.tsx", "_main/index.tsx"], budget: 143_000 };
const manager = { sources: ["manager.tsx", "manager/index.tsx"], budget: 43_500 };

/** Modules that the first route must not load. */
const excludedFromFirstRoute: ReadonlyArray<{ readonly what: string; readonly module: RegExp }> = [
  { what: "the long lists' library", module: /node_modules\/@tanstack\/(react-virtual|virtual-core)\// },
  { what: "Leaflet", module: /node_modules\/(react-)?leaflet\// },
  { what: "a manager route's component", module: /src\/web\/routes\/manager.*tsr-split/ },
  {
    what: "a component that only the manager uses",
    module: /node_modules\/@(zag-js|ark-ui\/react\/dist\/components)\/(dialog|tabs|menu)\//,
  },
  {
    what: "Chakra's engine, which the build replaces",
    module: /node_modules\/(@chakra-ui|@emotion|stylis)\//,
  },
];

const manifest = await readJson<Manifest>("build/web/.vite/manifest.json");
const modules = await readJson<WebModules>(webModulesFile);
const filesOf = ({ sources }: typeof firstRoute) =>
  builtFiles(
    manifest,
    sources.map((file) => `src/web/routes/${file}`),
  );

const first = filesOf(firstRoute);
const later = filesOf(manager).filter((file) => !first.includes(file));
if (later.length === 0) fail("No file belongs to the manager: its route files have moved.");
await measure("first route", ["index.html", ...first], firstRoute.budget);
await measure("manager", later, manager.budget);
const loaded = first.flatMap((file) => modules[file] ?? []);
if (loaded.length === 0) fail(`${webModulesFile} does not list the first route. Build again.`);
for (const { what, module } of excludedFromFirstRoute) {
  const found = loaded.find((id) => module.test(id));
  if (found !== undefined) fail(`The first route loads ${what}: ${found}`);
}
if (values["by-package"]) {
  const parts = await measurePackages(first);
  print("");
  const rows = parts.map((part) =>
    [part.name].concat([part.minified, part.brotli, part.gzip].map(inKilobytes)),
  );
  print(formatTable([["first route, kB", "minified", "brotli", "gzip"], ...rows]));
}

async function measure(name: string, files: readonly string[], budget: number): Promise<void> {
  const sizes = [".html", ".js", ".css"].map(async (extension) => {
    const ofKind = files.filter((file) => file.endsWith(extension));
    const contents = await Promise.all(
      ofKind.map((file) => readFile(path.join(repository, "build/web", file))),
    );
    const sum = (compress: (bytes: Buffer) => Buffer) =>
      contents.reduce((total, bytes) => total + compress(bytes).length, 0);
    return {
      gzip: sum((bytes) => gzipSync(bytes, { level: 9 })),
      brotli: sum((bytes) => brotliCompressSync(bytes)),
    };
  });
  const none = { gzip: 0, brotli: 0 };
  const [html = none, js = none, css = none] = await Promise.all(sizes);
  const total = html.gzip + js.gzip + css.gzip;
  const parts = `HTML ${kilobytes(html.gzip)}, JS ${kilobytes(js.gzip)}, CSS ${kilobytes(css.gzip)}`;
  const brotli = kilobytes(html.brotli + js.brotli + css.brotli);
  print(`${name}, gzip: ${kilobytes(total)} of ${kilobytes(budget)} (${parts}); brotli: ${brotli}`);
  if (total > budget) fail(`The ${name} is over its budget.`);
}

async function readJson<T>(name: string): Promise<T> {
  const text = await readFile(path.join(repository, name), "utf8").catch(() => null);
  if (text === null) throw new Error(`${name} is missing. Build the web app first: npm run build`);
  return JSON.parse(text) as T;
}

/** 1 kB is 1000 bytes. */
function kilobytes(bytes: number): string {
  return `${inKilobytes(bytes)} kB`;
}

function inKilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function fail(reason: string): void {
  print(reason);
  process.exitCode = 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
