import { expect, test } from "vitest";
import type { RegistryAge } from "../../registry/registry.ts";
import { renderHealth, renderMetrics } from "./registry-health.ts";

function read(age: RegistryAge) {
  return { readAge: async () => age };
}

test.each([
  [{ days: null, stale: false }, "ok\n"],
  [{ days: 1, stale: false }, "ok\n"],
  [{ days: 1.3, stale: false }, "issues\nThe registry was last fetched 31 hours ago.\n"],
  [
    { days: 7.5, stale: true },
    "issues\nThe registry was last fetched 180 hours ago. It is outdated, so no links are mailed.\n",
  ],
  [{ days: null, stale: true }, "issues\nThe registry is missing. No links are mailed.\n"],
])("the health of a registry with the age %j", async (age, text) => {
  expect(await renderHealth(read(age), null)).toBe(text);
});

test("a history that was not accepted is an issue at once", async () => {
  const state = {
    commit: null,
    files: null,
    fetchedAt: null,
    attemptedAt: null,
    problem: "The history was rewritten.",
    isRejected: true,
  };
  const clone = { readState: async () => state };
  expect(await renderHealth(read({ days: 0, stale: false }), clone)).toBe(
    "issues\nThe registry's fetched history was not accepted. The log says why.\n",
  );
});

test("the metrics contain the age in seconds, and whether it is too old", async () => {
  const { text } = await renderMetrics(read({ days: 7.5, stale: true }));
  expect(text).toContain("\npeerdeck_registry_age_seconds 648000\n");
  expect(text).toContain("\npeerdeck_registry_stale 1\n");
  const missing = await renderMetrics(read({ days: null, stale: true }));
  expect(missing.text).not.toContain("age_seconds");
});
