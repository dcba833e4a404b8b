import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { readFileSync } from "node:fs";
import { VitePWA, type ManifestOptions } from "vite-plugin-pwa";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { mockBackend } from "./tests/setup/mock-backend.ts";
import { testProjects } from "./tests/setup/test-projects.ts";
import { listWebModules } from "./tests/setup/web-modules.ts";

const server = "http://127.0.0.1:4242";

export default defineConfig(({ mode }) => ({
  cacheDir: "build/vite",
  plugins: [
    tanstackRouter({
      target: "react",
      routesDirectory: "src/web/routes",
      generatedRouteTree: "src/web/routes/route-tree.gen.ts",
      routeFileIgnorePattern: String.raw`\.(gen|test)\.`,
      addExtensions: true,
      quoteStyle: "double",
      semicolons: true,
      disableLogging: true,
      autoCodeSplitting: true,
      codeSplittingOptions: {
        // The front page comes with the first bundle: a second round trip would delay what most visitors open.
        splitBehavior: ({ routeId }) =>
          (["/_main", "/_main/"] as string[]).includes(routeId) ? [] : [["component", "pendingComponent"]],
      },
    }),
    react(),
    mode === "mock" ? mockBackend() : serviceWorker(),
    listRouteFiles(),
    listWebModules(),
  ],
  build: {
    outDir: "build/web",
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              // What every screen needs, in one file that outlives most releases. Chakra's components are left
              // out: each comes with the route that uses it.
              name: "framework",
              test: /node_modules\/(?:(?:react|react-dom|scheduler|@tanstack\/(?!react-virtual|virtual-core)[a-z-]+|valibot|@emotion|stylis|@pandacss)\/|@chakra-ui\/react\/dist\/esm\/(?:styled-system|utils|preset-base|[a-z-]+\.js)\b)/,
            },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: mode === "mock" ? {} : { "/api": server, "/provider.json": server, "/demo": server },
  },
  test: { projects: testProjects },
}));

/** The worker, built from src/sw with a list of the app's files, and the manifest, linked from the page. */
function serviceWorker() {
  return VitePWA({
    strategies: "injectManifest",
    srcDir: "src/sw",
    filename: "sw.ts",
    injectRegister: false,
    registerType: "prompt",
    includeManifestIcons: false,
    manifest: JSON.parse(readFileSync("manifest.webmanifest", "utf8")) as Partial<ManifestOptions>,
    injectManifest: {
      rollupFormat: "iife",
      globPatterns: [
        "index.html",
        "boot.js",
        "favicon.svg",
        "icons/{app-192,badge-96}.png",
        "assets/**/*.{js,css,svg,png,json}",
      ],
      // The server puts what the page's headers depend on in the mark's place (src/server/http/app-files.ts).
      manifestTransforms: [
        (entries) => ({
          manifest: entries.map((entry) =>
            entry.url === "index.html" ? { ...entry, revision: `${entry.revision ?? ""}@headers@` } : entry,
          ),
        }),
      ],
      // Names with a hash in them need no revision, and nothing has to be asked for twice.
      dontCacheBustURLsMatching: /^assets\//,
    },
  });
}

/** Routes by the paths that they begin with, the longest first, and what of src/web/routes is rendered there. */
const routeSources: ReadonlyArray<readonly [path: string, ...sources: readonly string[]]> = [
  ["/manager/updatepeer", "manager", "manager/updatepeer.$type"],
  ["/manager", "manager", "manager/index"],
  ["/login", "_plain", "_plain/login"],
  ["/register", "_plain", "_plain/register"],
  ["/map", "_main/map"],
  ["/status", "_main/status"],
  ["/about", "_main/about"],
];

/**
 * Writes into the page what each route loads beyond the first bundle, for public/boot.js: it asks for these files
 * at once, where the router would only when the bundle has arrived and run.
 */
function listRouteFiles(): Plugin {
  return {
    name: "peerdeck:list-route-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {}, chunk: entry }) {
        const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
        const withImports = (names: readonly string[]): readonly string[] => {
          const found = new Set(names);
          // A set goes on to what is added while it is walked.
          for (const name of found)
            for (const each of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
              found.add(each);
          return Array.from(found);
        };
        const first = new Set(entry ? withImports([entry.fileName]) : []);
        const files = routeSources.map(([path, ...sources]) => {
          const own = chunks.filter(({ facadeModuleId }) =>
            sources.some((source) =>
              facadeModuleId?.includes(`/src/web/routes/${source}.tsx?tsr-split=component`),
            ),
          );
          if (own.length !== sources.length)
            throw new Error(`${path} is not made of ${sources.join(" and ")}`);
          const later = withImports(own.map(({ fileName }) => fileName)).filter((name) => !first.has(name));
          return [path, later.map((name) => name.replace(/^assets\//, ""))];
        });
        return html.replace(
          '<script src="/boot.js">',
          `<script type="application/json" id="route-files">${JSON.stringify(files)}</script>\n    $&`,
        );
      },
    },
  };
}
