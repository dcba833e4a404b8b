/** The tests that `npm run mutation` repeats for each change. */
import { defineConfig } from "vitest/config";
import { testProjects } from "../runner/test-projects.ts";
import { groups, groupVariable } from "./groups.ts";

const integration = testProjects.find(({ test }) => test.name === "integration");
const group = groups.find(({ name }) => name === process.env[groupVariable]);

export default defineConfig({
  test: {
    ...integration?.test,
    // A change of what a module does while it is loaded needs a new load for each test file.
    isolate: true,
    include: [...(group?.tests ?? [])],
    exclude: [],
    // Stryker runs tests in threads, which take none of V8's options.
    execArgv: [],
    // The checks do the same on both databases, and `npm test` runs both.
    testNamePattern: /^(?!.*\bon postgres\b)/,
    setupFiles: ["tests/tools/mutation/no-shrinking.ts"],
  },
});
