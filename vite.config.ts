import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:4242";

export default defineConfig({
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
  ],
  build: { outDir: "build/web", emptyOutDir: true },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": server, "/provider.json": server, "/demo": server },
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["src/**/*.test.ts"], environment: "node" },
      },
    ],
  },
});
