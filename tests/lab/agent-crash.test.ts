/**
 * The agent killed between two steps of an apply: the old or the new generation is complete, and no other
 * peering is disturbed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import {
  interruptAt,
  outOfSyncFindings,
  resetToBefore,
  openScenarios,
  type CrashScenario,
  type CrashScenarios,
  recordSteps,
  waitUntilEstablished,
} from "./crash-scenarios.ts";
import { shareOfCommit } from "../support/share-of-commit.ts";
import { startAgent } from "./lab-agent.ts";
import { restartKilledBird } from "./lab-node.ts";
import { runSequence } from "../tools/campaigns/agent/sequence.ts";
import {
  confirmedFiles,
  connectionState,
  findDisruptions,
  routerState,
  settledState,
} from "./router-state.ts";

let scenarios: CrashScenarios;

beforeAll(async () => {
  scenarios = await openScenarios();
});
afterAll(() => scenarios[Symbol.asyncDispose]());

const timeoutMs = 60_000;

async function killAtSteps(scenario: CrashScenario) {
  const { host } = scenario;
  const recorded = await recordSteps(scenario);
  const tunnel = interfaceName(scenario.established.asn);
  const before = await connectionState(host, tunnel);
  const outcomes = { old: 0, new: 0 };
  const killed = shareOfCommit(recorded.steps.map((step, index) => ({ step, number: index + 1 })));
  for (const { step, number } of killed) {
    await resetToBefore(scenario);
    const { outcome } = await interruptAt(scenario, {
      number,
      name: step,
      atStep: async () => {
        await scenario.agent.kill();
        // The files that BIRD would start with after a power cut.
        expect([recorded.old.files, recorded.new.files]).toContainEqual(await confirmedFiles(host));
        scenario.agent = await startAgent(host);
      },
    });
    outcomes[outcome] += 1;
    // The restarted agent may just be restarting a handshake, with a file for `wg` to read.
    await expect
      .poll(async () => [step, await routerState(host)], { timeout: timeoutMs })
      .toEqual([step, recorded[outcome]]);
    expect([step, ...findDisruptions(before, await connectionState(host, tunnel))]).toEqual([step]);
    expect(await outOfSyncFindings(scenario)).toEqual([]);
  }
  const events = await scenario.agent.events();
  expect(events.map(({ kind }) => kind)).toContain("router-restored");
  expect(events.filter(({ asn }) => asn !== null && asn !== scenario.asn)).toEqual([]);
  const last = await settledState(host);
  await restartKilledBird(host);
  await waitUntilEstablished(scenario);
  expect(await settledState(host)).toEqual(last);
  return { ...outcomes, kills: killed.length, steps: recorded.steps };
}

function filterStep(step: string): readonly string[] {
  if (step === "nft -f -") return ["filter"];
  if (/^(ip link add|wireguard-go) /.test(step)) return ["create"];
  return step.startsWith("ip link delete ") ? ["remove"] : [];
}

test(
  "killed between steps of an addition, an edit and a deletion",
  { timeout: 900_000 },
  async ({ annotate }) => {
    const runs = Object.values(scenarios).map(killAtSteps);
    // After a failure, the other scenarios would run on beside the next test.
    await Promise.allSettled(runs);
    const counts = await Promise.all(runs);
    // A tunnel is known to the packet filter before it exists, and until it is gone.
    expect(counts.map(({ steps }) => steps.flatMap(filterStep))).toEqual([
      ["filter", "create"],
      ["filter", "filter"],
      ["remove", "filter"],
    ]);
    for (const { steps, kills, ...outcomes } of counts) {
      await annotate(`${kills} of ${steps.length} steps: ${JSON.stringify(outcomes)}`);
      expect(outcomes.old + outcomes.new).toBe(kills);
      expect(outcomes.new).toBeGreaterThan(0);
      expect(outcomes.old).toBeGreaterThan(outcomes.new);
      expect(steps).toEqual(
        expect.arrayContaining([
          "bird: configure timeout 60",
          "bird: configure confirm",
          "rename to current",
          "rename to confirmed",
          "rename to state.json",
          "respond",
        ]),
      );
    }
  },
);

test("a short sequence of the campaign, in which the starting agent is killed too", async () => {
  const logs = await mkdtemp(join(tmpdir(), "peerdeck-campaign-"));
  const { failure, counts } = await runSequence(scenarios, { seed: 1, killsPerNode: 2, logs });
  // The logs of a failure are kept.
  if (failure === null) onTestFinished(() => rm(logs, { recursive: true }));
  expect({ failure, logs }).toEqual({ failure: null, logs });
  expect(counts).toMatchObject({ "kills at a step": 6, "kills of a starting agent": expect.any(Number) });
});
