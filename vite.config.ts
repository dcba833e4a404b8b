import { defineConfig } from "vitest/config";

export default defineConfig({
  cacheDir: "build/vite",
  test: {
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["src/**/*.test.ts"], environment: "node" },
      },
    ],
  },
});
