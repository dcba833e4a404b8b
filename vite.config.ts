import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { readFileSync } from "node:fs";
import { VitePWA, type ManifestOptions } from "vite-plugin-pwa";
import { minifySync, type Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { dottedLand } from "./src/packaging/dotted-land.ts";
import { builtStyles } from "./tests/support/built-styles.ts";
import { mockBackend } from "./tests/support/mock-backend.ts";
import { testProjects } from "./tests/tools/runner/test-projects.ts";
import { listWebModules } from "./tests/support/web-modules.ts";

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
        // Hot reload gives a route that is evaluated again the components of the route before it. Tests evaluate the
        // routes for each file, and need the new components.
        addHmr: mode !== "test",
        // The front page comes with the first bundle: a second round trip would delay what most visitors open.
        // The manager's loaders come with its screens: visitors who are not logged in never run them.
        splitBehavior: ({ routeId }) => {
          if ((["/_main", "/_main/"] as string[]).includes(routeId)) return [];
          return routeId.startsWith("/manager/")
            ? [["loader", "component", "pendingComponent"]]
            : [["component", "pendingComponent"]];
        },
      },
    }),
    react({ jsxImportSource: "#web/jsx" }),
    shortPaths(),
    dottedLand(),
    builtStyles(),
    mode === "mock" ? mockBackend() : serviceWorker(),
    listFiles(),
    listWebModules(),
  ],
  build: {
    outDir: "build/web",
    emptyOutDir: true,
    manifest: true,
    license: { fileName: "licenses.md" },
    // The page's script requests the page's own files (`listFiles`). A link would load them before the first paint.
    modulePreload: { resolveDependencies: (_, files, { hostType }) => (hostType === "html" ? [] : files) },
    rolldownOptions: {
      input: { index: "index.html", "api-page": "src/web/api-page.ts" },
      output: {
        // The server's page names its script without a hash. It is not among the files that the worker caches.
        entryFileNames: ({ name }) => (name === "api-page" ? "[name].js" : "assets/[name]-[hash].js"),
        // The bundler would put the names of all that share a file into its name. The page lists the names of all files, so
        // hashes are short.
        chunkFileNames: ({ name }) => `assets/${name.replace(/^rolldown-|~.*/g, "")}-[hash:6].js`,
        codeSplitting: {
          groups: [
            {
              // What every screen needs, in one file that outlives most releases. Chakra's components are left
              // out: each comes with the route that uses it.
              name: "framework",
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?!react-virtual|virtual-core)[a-z-]+|valibot)\//,
            },
            {
              // All other modules that the page's own script imports. Without this group, each of them that later
              // parts also use would get a file of its own.
              name: (id, context) => (isImportedFirst(id, context) ? "first" : null),
              debugName: "first",
            },
            {
              // Dialogs and tabs: half of the code of a peering's screens. Without this group, the group below would merge
              // small parts of other screens into this file, and these screens would load the whole file.
              name: "dialogs",
              test: /node_modules\/@(?:zag-js|ark-ui)\/|src\/web\/ui\/layout\/(?:modal|tabs)\.tsx$/,
              minShareCount: 2,
            },
            // What the next group would take along, although other screens need it without the rest of that group.
            { name: "field", test: /src\/web\/ui\/forms\/field\.tsx$/, minShareCount: 2 },
            {
              name: "texts",
              test: /src\/(?:domain\/text\/plural|web\/ui\/text\/(?:format-time|key-value-list))\.tsx?$/,
              minShareCount: 2,
            },
            {
              // Ways to log in without a password: below the form, in Settings and where an AS is proved.
              name: "other-logins",
              test: /src\/web\/(?:api\/passkeys|features\/accounts\/(?:other-logins|kioubit\/kioubit-button))\.tsx?$/,
            },
            {
              // The forms that ask for an AS number. Without this group, the proof by a key, which is loaded on demand and
              // shares some of it, would split the file that everyone loads who registers or logs in.
              name: "asn-forms",
              test: /src\/web\/features\/accounts\/(?:form|email-link-[a-z]+|proofs\/other-ways)\.tsx?$/,
              minShareCount: 2,
            },
            {
              // Modules that several later parts share, in files that are worth a request. A file below the threshold
              // is merged into another one, and screens then load code that they do not use.
              name: "common",
              test: /src\/|lucide/,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 3_000,
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

/** Whether the page's own script imports a module, directly or through other modules. */
function isImportedFirst(
  id: string,
  context: { readonly getModuleInfo: (id: string) => { readonly importers: readonly string[] } | null },
  seen = new Set<string>(),
): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  return (context.getModuleInfo(id)?.importers ?? []).some(
    (importer) => importer.endsWith("/src/web/main.tsx") || isImportedFirst(importer, context, seen),
  );
}

/**
 * Shortens the absolute paths by which the router imports parts of routes. Their length would count towards the size of a module,
 * which decides what is merged into one file: the same commit would give other files in another folder.
 */
function shortPaths(): Plugin {
  const sources = `${import.meta.dirname}/src/`;
  return {
    name: "peerdeck:short-paths",
    apply: "build",
    enforce: "post",
    transform: (code) => (code.includes(sources) ? code.replaceAll(sources, "/src/") : null),
  };
}

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
        "favicon.svg",
        "icons/{app-192,badge-96}.png",
        "assets/**/*.{js,css,svg,png,json}",
      ],
      // The server replaces the mark by a hash of the page's headers (src/server/site/app-files.ts).
      manifestTransforms: [
        (entries) => ({
          manifest: entries.map((entry) =>
            entry.url === "index.html" ? { ...entry, revision: `${entry.revision ?? ""}@headers@` } : entry,
          ),
        }),
      ],
      // A name with a hash needs no revision: a file in the HTTP cache is the right one.
      dontCacheBustURLsMatching: /^assets\//,
    },
  });
}

/** The beginnings of paths, the longest first, and the modules of src/web that the screens of these paths import. */
const routeSources: ReadonlyArray<readonly [path: string, ...modules: readonly string[]]> = [
  ["/manager/updatepeer", "routes/manager.tsx", "routes/manager/updatepeer.$type.tsx"],
  ["/manager/activity", "routes/manager.tsx", "routes/manager/activity.tsx"],
  ["/manager/settings", "routes/manager.tsx", "routes/manager/settings.tsx"],
  ["/manager", "routes/manager.tsx", "routes/manager/index.tsx"],
  ["/login", "routes/_plain.tsx", "routes/_plain/login.tsx"],
  ["/register", "routes/_plain.tsx", "routes/_plain/register.tsx"],
  ["/map", "routes/_main/map.tsx"],
  ["/status", "routes/_main/status.tsx"],
  ["/about", "routes/_main/about.tsx"],
];

/**
 * Writes into the page the files of the first bundle and of each route. The page's script requests these files at once;
 * the router would request them only after the first bundle has arrived and run.
 */
function listFiles(): Plugin {
  return {
    name: "peerdeck:list-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {}, chunk: entry }) {
        const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
        const withImports = (names: readonly string[]): readonly string[] => {
          const found = new Set(names);
          // The loop over a set includes the members that are added meanwhile.
          for (const name of found)
            for (const each of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
              found.add(each);
          return Array.from(found);
        };
        if (!entry) throw new Error("the page has no script of its own");
        const first = withImports([entry.fileName]);
        const routes = routeSources.map(([path, ...modules]) => {
          const own = chunks.filter(({ facadeModuleId }) =>
            // The router splits `map.tsx` into `map.tsx?tsr-split=component`.
            modules.some((module) => facadeModuleId?.replace(/\?.*$/, "").endsWith(`/src/web/${module}`)),
          );
          if (own.length !== modules.length)
            throw new Error(`${path} is not made of ${modules.join(" and ")}`);
          const all = withImports(own.map(({ fileName }) => fileName));
          return [path, withoutFolder(all.filter((name) => !first.includes(name)))];
        });
        const files = { first: withoutFolder(first), routes };
        return minifyPage(html).replace(
          /<script>/,
          `<script type="application/json" id="files">${JSON.stringify(files)}</script>\n    $&`,
        );
      },
    },
  };
}

/** The page without comments and indentation, and with its own script minified, because every visit loads it. */
function minifyPage(html: string): string {
  return html
    .replace(/(<script>)([^]*?)(<\/script>)/, (_, start: string, code: string, end: string) =>
      [start, minifySync("page.js", code).code.trim(), end].join(""),
    )
    .replaceAll(/^\s*<!--.*-->$/gm, "")
    .replaceAll(/\n\s*/g, "\n");
}

function withoutFolder(names: readonly string[]): readonly string[] {
  return names.map((name) => name.replace(/^assets\//, ""));
}
