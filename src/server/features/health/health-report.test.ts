import { expect, test } from "vitest";
import type { Finding } from "#domain/findings/findings.ts";
import { createIgnoredItems } from "../../agents/ignored-items.ts";
import type { RegistryAge } from "../../registry/registry.ts";
import { createJoinAttempts } from "../../nodes/join-attempts.ts";
import { fixedNodes } from "../../nodes/nodes.ts";
import type { ProviderNode } from "../../nodes/provider-node.ts";
import { type HealthDeps, renderHealth, renderMetrics } from "./health-report.ts";

const ageOf = (age: RegistryAge) => ({ readAge: async () => age });

const healthy: HealthDeps = {
  profile: { domain: "example.net" },
  nodes: fixedNodes([]),
  registry: ageOf({ days: 0, stale: false }),
  registryClone: null,
  clock: () => 1_000_000,
  clockJumps: { readRecent: () => null },
  agents: { readFailures: () => new Map(), ignored: createIgnoredItems(null) },
  mailOutbox: { readFault: () => null },
  joinAttempts: createJoinAttempts(),
  readStorageIssues: async () => [],
  readConflicts: async () => new Map(),
  readWithoutAccount: async () => [],
  readRemovedNodes: async () => [],
  readPendingRemovals: async () => [],
  readNodeIssues: async () => new Map(),
  readAgentVersions: async () => new Map(),
};

const node: ProviderNode = {
  name: "de01",
  place: "Frankfurt",
  lat: null,
  lon: null,
  publicIp: "192.0.2.1",
  endpoints: ["192.0.2.1"],
  tunnelIpv4: null,
  linkLocal: "fe80::2227",
  maxPeerings: null,
  agent: null,
  state: "open",
};

const outdated = "The registry was last fetched 180 hours ago.";
const renderOwn = (deps: HealthDeps) => renderHealth(deps, true);

test.each([
  [{ days: null, stale: false }, "ok\n"],
  [{ days: 1, stale: false }, "ok\n"],
  [{ days: 1.3, stale: false }, "issues\nThe registry was last fetched 31 hours ago.\n"],
  [{ days: 7.5, stale: true }, `issues\n${outdated} It is outdated, so no links are mailed.\n`],
  [{ days: null, stale: true }, "issues\nThe registry is missing. No links are mailed.\n"],
])("the health of a registry with the age %j", async (age, text) => {
  expect(await renderOwn({ ...healthy, registry: ageOf(age) })).toBe(text);
});

test("a history that was not accepted is an issue at once", async () => {
  const nothing = { commit: null, files: null, fetchedAt: null, attemptedAt: null };
  const state = { ...nothing, problem: "The history was rewritten.", isRejected: true };
  const text = "issues\nThe registry's fetched history was not accepted. The log says why.\n";
  expect(await renderOwn({ ...healthy, registryClone: { readState: async () => state } })).toBe(text);
});

test("the metrics contain the age in seconds, and whether it is too old", async () => {
  const text = await renderMetrics({ ...healthy, registry: ageOf({ days: 7.5, stale: true }) });
  expect(text).toContain("\npeerdeck_registry_age_seconds 648000\n");
  expect(text).toContain("\npeerdeck_registry_stale 1\n");
  const missing = await renderMetrics({ ...healthy, registry: ageOf({ days: null, stale: true }) });
  expect(missing).not.toContain("age_seconds");
});

test("the metrics count the requests of agents that join, by result", async () => {
  const joinAttempts = createJoinAttempts();
  for (const status of [200, 403, 403, 418]) joinAttempts.count(status);
  const text = await renderMetrics({ ...healthy, joinAttempts });
  expect(text.match(/^peerdeck_join_attempts_total.*$/gm)).toEqual(
    [
      ["accepted", 1],
      ["wrong-proof", 2],
      ["unknown-line", 0],
      ["void-line", 0],
      ["invalid", 0],
      ["rate-limited", 0],
      ["error", 1],
      ["unreachable", 0],
    ].map(([result, count]) => `peerdeck_join_attempts_total{result="${result}"} ${count}`),
  );
});

test.each([
  [40 * 86_400_000, "went 40 days forward, or no server ran for that long"],
  [-26 * 3_600_000, "went back 26 hours"],
  [600_000, "went 10 minutes forward, or the host was suspended for that long"],
])("a jump of the clock is an issue: %i ms", async (ms, text) => {
  const jump = { at: Date.UTC(2026, 0, 20), ms };
  const deps = { ...healthy, clockJumps: { readRecent: () => jump } };
  expect(await renderOwn(deps)).toBe(
    `issues\nThe clock of the server's host ${text}. ` +
      "Nothing is deleted for its age until 2026-01-21T00:00:00.000Z.\n",
  );
  expect(await renderMetrics(deps)).toContain(`\npeerdeck_clock_jump_seconds ${ms / 1000}\n`);
});

test("a database that does not respond is an issue, and its numbers are missing", async () => {
  const stalled = { ...healthy, readConflicts: async () => null };
  expect(await renderOwn(stalled)).toBe("issues\nThe database does not respond.\n");
  expect(await renderMetrics(stalled)).not.toContain("peerdeck_peering_conflicts{");
});

test("peerings without an account are an issue, with the first of them for the operator", async () => {
  const peerings = [1, 2, 3, 4, 5, 6].map((digit) => ({ asn: `424242000${digit}`, node: "de01" }));
  const deps = { ...healthy, readWithoutAccount: async () => peerings };
  const named = peerings.slice(0, 5).map(({ asn }) => `AS${asn} on de01`);
  expect(await renderOwn(deps)).toBe(`issues\n6 peerings have no account: ${named.join(", ")}, ….\n`);
  expect(await renderMetrics(deps)).toContain("\npeerdeck_peerings_without_account 6\n");
});

test.each([
  [true, "de01.example.net: bird.conf was changed.\nde01.example.net: BIRD is old.\n"],
  [false, ""],
])("the issues are listed for the operator only: %s", async (isOperator, text) => {
  const nodeIssues = new Map([
    ["de01", ["bird.conf was changed.", "BIRD is old."]],
    ["de02", []],
  ]);
  const deps = { ...healthy, readNodeIssues: async () => nodeIssues };
  expect(await renderHealth(deps, isOperator)).toBe(`issues\n${text}`);
});

test("what calls of a removed node have met is no issue any more", async () => {
  const finding: Finding = { code: "node-unreachable", facts: { host: "de01", cause: "timeout" } };
  const ignored = createIgnoredItems(null);
  ignored.note("de01", "invalid items of /v1/peerings", 1);
  const deps = { ...healthy, agents: { readFailures: () => new Map([["de01", () => finding]]), ignored } };
  expect(await renderOwn(deps)).toBe("ok\n");
  expect(await renderOwn({ ...deps, nodes: fixedNodes([node]) })).toMatch(
    /^issues\nde01 cannot be reached: .+\n.+\n$/,
  );
});

test("a removed node that does not respond is an issue after ten minutes", async () => {
  const removal = {
    id: "1",
    node: "de01",
    agent: null,
    removedAt: 0,
    peerings: [{ asn: "4242420001", generation: 1 }],
  };
  const readPendingRemovals = async () => [removal];
  expect(await renderOwn({ ...healthy, readPendingRemovals, clock: () => 599_999 })).toBe("ok\n");
  expect(await renderOwn({ ...healthy, readPendingRemovals, clock: () => 600_000 })).toBe(
    "issues\nde01 was removed and does not respond, so that 1 peering may still run on it. The server takes them down when " +
      "the node responds. If its host is gone or the peerings may run on, run: peerdeck nodes remove de01 --keep\n",
  );
});
