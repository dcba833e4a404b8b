import type { TestProjectConfiguration } from "vitest/config";

/**
 * The vitest projects, one for each border that their tests cross. Time limits leave room for a machine with
 * two slow cores that does other things as well.
 */
export const testProjects = [
  {
    extends: false,
    test: {
      name: "unit",
      include: ["src/**/*.test.ts", "tests/domain/**/*.test.ts", "tests/setup/**/*.test.ts"],
      environment: "node",
      testTimeout: 30_000,
    },
  },
  {
    extends: true,
    test: {
      name: "components",
      include: ["tests/components/**/*.test.tsx"],
      environment: "jsdom",
      testTimeout: 30_000,
    },
  },
  {
    extends: false,
    test: {
      name: "integration",
      include: ["tests/integration/**/*.test.ts"],
      environment: "node",
      globalSetup: ["tests/setup/postgres.ts"],
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  },
  {
    extends: false,
    test: {
      name: "architecture",
      include: ["tests/architecture/**/*.test.ts"],
      environment: "node",
      testTimeout: 60_000,
      hookTimeout: 300_000,
    },
  },
  {
    extends: false,
    test: {
      name: "lab",
      include: ["tests/lab/**/*.test.ts"],
      environment: "node",
      fileParallelism: false,
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  },
  {
    extends: false,
    test: {
      name: "e2e",
      include: ["tests/e2e/**/*.test.ts"],
      environment: "node",
      fileParallelism: false,
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  },
  {
    extends: false,
    test: {
      name: "spec",
      include: ["tests/spec/**/*.test.ts"],
      environment: "node",
      // Each has a browser and a backend of its own, which wait for each other most of the time.
      maxWorkers: 2,
      expect: { poll: { timeout: 20_000 } },
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  },
] satisfies TestProjectConfiguration[];
