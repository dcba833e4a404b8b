import { defineConfig } from "vitest/config";
import { testProjects } from "./tests/setup/test-projects.ts";
import { listWebModules } from "./tests/setup/web-modules.ts";

export default defineConfig({
  cacheDir: "build/vite",
  plugins: [listWebModules()],
  build: { outDir: "build/web", emptyOutDir: true, manifest: true },
  test: { projects: testProjects },
});
