import { defineConfig } from "vitest/config";
import { testProjects } from "./tests/setup/test-projects.ts";

export default defineConfig({
  cacheDir: "build/vite",
  test: { projects: testProjects },
});
