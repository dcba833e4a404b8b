/** The tests that `npm run mutation` repeats for each mutant: the fast ones, without the tools' own. */
import { defineConfig } from "vitest/config";
import { testProjects } from "../runner/test-projects.ts";

const unit = testProjects.find(({ test }) => test.name === "unit");

export default defineConfig({ test: { ...unit?.test, exclude: ["tests/tools/**"] } });
