import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
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
    mode === "mock" && mockBackend(),
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
