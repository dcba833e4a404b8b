/** `npm run size`: measures the compressed size of the web app's first screens, and fails if one exceeds its budget. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { repository } from "../../support/repository.ts";
import { type WebModules, webModulesFile } from "../../support/web-modules.ts";
import { builtFiles, type Manifest } from "./built-files.ts";

/** Budgets are bytes of HTML, JS and CSS together, gzip. The manager does not count the files of the first route. */
const firstRoute = { sources: ["__root.tsx", "_main.tsx", "_main/index.tsx"], budget: 167_800 };
const manager = { sources: ["manager.tsx", "manager/index.tsx"], budget: 60_000 };

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

async function measure(name: string, files: readonly string[], budget: number): Promise<void> {
  const sizes = [".html", ".js", ".css"].map(async (extension) => {
    const ofKind = files.filter((file) => file.endsWith(extension));
    const contents = await Promise.all(
      ofKind.map((file) => readFile(path.join(repository, "build/web", file))),
    );
    return contents.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0);
  });
  const [html = 0, js = 0, css = 0] = await Promise.all(sizes);
  const parts = `HTML ${kilobytes(html)}, JS ${kilobytes(js)}, CSS ${kilobytes(css)}`;
  print(`${name}, gzip: ${kilobytes(html + js + css)} of ${kilobytes(budget)} (${parts})`);
  if (html + js + css > budget) fail(`The ${name} is over its budget.`);
}

async function readJson<T>(name: string): Promise<T> {
  const text = await readFile(path.join(repository, name), "utf8").catch(() => null);
  if (text === null) throw new Error(`${name} is missing. Build the web app first: npm run build`);
  return JSON.parse(text) as T;
}

/** 1 kB is 1000 bytes. */
function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function fail(reason: string): void {
  print(reason);
  process.exitCode = 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
