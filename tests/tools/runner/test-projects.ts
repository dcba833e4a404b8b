import type { TestProjectConfiguration } from "vitest/config";
import { compileCache } from "../../support/compile-cache.ts";
import { readLeftOutFiles } from "./left-out-files.ts";

const programTests = [
  "tests/integration/{campaigns,provider}/**/*.test.ts",
  "tests/integration/server/{agent-connections,server-crash}.test.ts",
] as const;
const crashTests = ["tests/lab/*-crash.test.ts"] as const;

/**
 * V8 compiles on the main thread and without its slowest compiler, and collects garbage less often: a worker ends before
 * better code pays, and other steps use the second core. Workers need a fifth less of a processor so.
 */
const execArgv = ["--single-threaded", "--no-opt", "--max-semi-space-size=64"];

/** Tests outside of the app import modules as its programs do: by Node.js itself, without a transformation by Vite. */
const nodeTests = {
  environment: "node",
  execArgv,
  experimental: { viteModuleRunner: false, nodeLoader: false },
} as const;

const labTests = {
  ...nodeTests,
  // Programs on the lab's hosts use it too.
  env: compileCache,
  isolate: false,
  // A lab has namespaces of its own, and waits most of the time.
  maxWorkers: 2,
  // A look at a router starts several processes.
  expect: { poll: { timeout: 20_000, interval: 250 } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
} as const;

const serverTests = {
  ...nodeTests,
  globalSetup: ["tests/support/built-programs.ts", "tests/support/database-setup.ts"],
  // Importing a module does nothing, so files may share a worker. Each test has its own server and database.
  isolate: false,
  // PostgreSQL and the servers that the tests start need the other core.
  maxWorkers: 1,
  expect: { poll: { timeout: 20_000 } },
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

const screenTests = {
  environment: "jsdom" as const,
  execArgv,
  // Files share a worker and its window (tests/support/shared-window.ts).
  isolate: false,
  setupFiles: ["tests/support/shared-window.ts", "tests/support/jsdom-browser.ts"],
  // The first one compares the window before and after the second one's changes.
  sequence: { setupFiles: "list" as const },
  expect: { poll: { timeout: 20_000 } },
  testTimeout: 30_000,
};

/**
 * One for each boundary that their tests cross. The timeouts are long enough for a busy machine with
 * two slow cores.
 */
const projects = [
  {
    extends: false,
    test: {
      name: "unit",
      // Importing a module does nothing, so files may share a worker.
      isolate: false,
      include: ["src/**/*.test.ts", "tests/domain/**/*.test.ts", "tests/tools/**/*.test.ts"],
      environment: "node",
      execArgv,
      expect: { poll: { timeout: 20_000 } },
      testTimeout: 30_000,
    },
  },
  {
    extends: true,
    test: {
      name: "components",
      include: ["tests/components/**/*.test.tsx"],
      ...screenTests,
    },
  },
  {
    extends: false,
    test: {
      name: "integration",
      include: ["tests/integration/**/*.test.ts"],
      exclude: [...programTests],
      ...serverTests,
    },
  },
  {
    extends: false,
    test: {
      // A project of its own, since its tests wait most of the time: for programs that start, stop and are killed.
      name: "programs",
      include: [...programTests],
      ...serverTests,
    },
  },
  {
    extends: false,
    test: {
      name: "install",
      include: ["tests/install/**/*.test.ts"],
      ...nodeTests,
      // npm installs a gigabyte for each pair, on a busy machine.
      testTimeout: 300_000,
      hookTimeout: 600_000,
    },
  },
  {
    extends: false,
    test: {
      name: "architecture",
      include: ["tests/architecture/**/*.test.ts"],
      ...nodeTests,
      isolate: false,
      testTimeout: 60_000,
      hookTimeout: 300_000,
    },
  },
  {
    extends: false,
    test: {
      name: "lab",
      include: ["tests/lab/**/*.test.ts"],
      exclude: [...crashTests],
      globalSetup: ["tests/support/built-programs.ts", "tests/lab/bundle-programs.ts"],
      ...labTests,
    },
  },
  {
    extends: false,
    test: {
      // A project of its own, since its tests wait for programs that are killed and for sessions that return.
      name: "lab-crashes",
      include: [...crashTests],
      globalSetup: ["tests/lab/bundle-programs.ts"],
      ...labTests,
    },
  },
  {
    extends: false,
    test: {
      name: "machine",
      include: ["tests/machine/**/*.test.ts"],
      ...nodeTests,
      // The calls to the agent use it too.
      env: compileCache,
      fileParallelism: false,
      expect: { poll: { timeout: 20_000, interval: 500 } },
      // The first run creates the machine's files.
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  },
  {
    extends: false,
    test: {
      name: "e2e",
      include: ["tests/e2e/**/*.test.ts"],
      ...nodeTests,
      // Files share a worker's browser. Each has its own servers and ports.
      isolate: false,
      setupFiles: ["tests/e2e/no-pages-left.ts"],
      maxWorkers: 2,
      expect: { poll: { timeout: 20_000 } },
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  },
  {
    extends: false,
    test: {
      name: "engines",
      include: ["tests/engines/*.test.ts"],
      ...nodeTests,
      // A file is an engine.
      isolate: false,
      maxWorkers: 2,
      expect: { poll: { timeout: 20_000 } },
      // A scenario has dozens of steps, each of which waits for three engines on a busy machine.
      testTimeout: 300_000,
      hookTimeout: 120_000,
    },
  },
  {
    extends: true,
    test: {
      name: "spec",
      include: ["tests/spec/*.test.ts", "tests/spec/jsdom/**/*.test.ts"],
      ...screenTests,
    },
  },
  {
    extends: false,
    test: {
      name: "spec-browser",
      include: ["tests/spec/browser/**/*.test.ts"],
      ...nodeTests,
      // Files share a worker's browser, which spends most of the time waiting.
      isolate: false,
      setupFiles: ["tests/e2e/no-pages-left.ts"],
      maxWorkers: 2,
      expect: { poll: { timeout: 20_000 } },
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  },
] satisfies TestProjectConfiguration[];

/** The vitest projects. */
export const testProjects = projects.map((project) => {
  const excluded = "exclude" in project.test ? project.test.exclude : [];
  const test = Object.assign({}, project.test, { exclude: [...excluded, ...readLeftOutFiles()] });
  return Object.assign({}, project, { test });
});
