/**
 * BIRD or a tunnel's wireguard-go killed between two steps of an apply, while the agent keeps running.
 */
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import {
  restartAgent,
  interruptAt,
  resetToBefore,
  killTunnel,
  openScenarios,
  type CrashScenario,
  type CrashScenarios,
  recordSteps,
  waitUntilEstablished,
} from "./crash-scenarios.ts";
import { shareOfCommit } from "../support/share-of-commit.ts";
import { restartKilledBird } from "./lab-node.ts";
import { findDisruptions, routerState, connectionState } from "./router-state.ts";

let scenarios: CrashScenarios;

beforeAll(async () => {
  scenarios = await openScenarios();
});
afterAll(() => scenarios[Symbol.asyncDispose]());

/** Steps that involve BIRD or the kernel, or that change the files BIRD would start with. */
const hasExternalEffect = /^(ip|wg|wireguard-go|bird:|rename to|write \/proc|respond)/;

const timeoutMs = 30_000;

/** @param kill returns whether there was something to kill */
async function killAtSteps(
  scenario: CrashScenario,
  kill: () => Promise<boolean>,
  after: () => Promise<void>,
) {
  await restartAgent(scenario);
  const recorded = await recordSteps(scenario);
  const outcomes = { old: 0, new: 0, nothing: 0 };
  const outcomesSeen = new Set<string | null>();
  const steps = shareOfCommit(
    recorded.steps
      .map((step, index) => ({ name: step, number: index + 1 }))
      .filter((step) => hasExternalEffect.test(step.name)),
  );
  for (const step of steps) {
    await restartAgent(scenario);
    await resetToBefore(scenario);
    let killed = false;
    const { outcome, response } = await interruptAt(scenario, {
      ...step,
      atStep: async () => {
        killed = await kill();
      },
    });
    outcomes[killed ? outcome : "nothing"] += 1;
    outcomesSeen.add(response);
    // An outcome must match the state: a change was applied, or was refused and nothing changed.
    if (response !== null) expect(outcome).toBe(response === "applied" ? "new" : "old");
    await expect
      .poll(async () => [step.name, await routerState(scenario.host)], { timeout: timeoutMs })
      .toEqual([step.name, recorded[outcome]]);
    await after();
  }
  return { steps: steps.length, ...outcomes, answers: [...outcomesSeen] };
}

type Counts = Awaited<ReturnType<typeof killAtSteps>>;

async function expectEvery({ annotate }: TestContext, counts: readonly Counts[]): Promise<void> {
  for (const { steps, old, new: changed, nothing, answers: outcomesSeen } of counts) {
    await annotate(
      `${steps} steps: ${JSON.stringify({ old, new: changed, nothing, answers: outcomesSeen })}`,
    );
    expect(old + changed + nothing).toBe(steps);
    expect(changed).toBeGreaterThan(0);
    expect(outcomesSeen).toContain("applied");
  }
}

const countOld = (counts: readonly Counts[]) => counts.reduce((sum, { old }) => sum + old, 0);
const testTimeout = { timeout: 300_000 };

test(
  "BIRD killed between steps restarts with one complete configuration and all sessions",
  testTimeout,
  async (context) => {
    const results = Object.values(scenarios).map((scenario) =>
      killAtSteps(
        scenario,
        async () => {
          await restartKilledBird(scenario.host);
          return true;
        },
        async () => {
          await waitUntilEstablished(scenario);
        },
      ),
    );
    const counts = await Promise.all(results);
    await expectEvery(context, counts);
    expect(countOld(counts)).toBeGreaterThan(0);
  },
);

async function killTunnelAtSteps(scenario: CrashScenario, asn: string): Promise<Counts> {
  const name = interfaceName(scenario.established.asn);
  const before = await waitUntilEstablished(scenario);
  return killAtSteps(
    scenario,
    () => killTunnel(scenario.host, asn),
    async () => {
      expect(findDisruptions(before, await connectionState(scenario.host, name))).toEqual([]);
    },
  );
}

test(
  "the changed tunnel's wireguard-go killed between steps is restored, and no other tunnel is disturbed",
  testTimeout,
  async (context) => {
    const results = Object.values(scenarios).map((scenario) => killTunnelAtSteps(scenario, scenario.asn));
    const counts = await Promise.all(results);
    await expectEvery(context, counts);
    expect(countOld(counts)).toBeGreaterThan(0);
  },
);

test(
  "another tunnel's wireguard-go killed between steps is restored, and no other tunnel is disturbed",
  testTimeout,
  async (context) => {
    const results = Object.values(scenarios).map((scenario) =>
      killTunnelAtSteps(scenario, scenario.unjoined.asn),
    );
    const counts = await Promise.all(results);
    await expectEvery(context, counts);
    // A change never fails because of another tunnel.
    expect(countOld(counts)).toBe(0);
    for (const { agent, unjoined, established } of [scenarios.add, scenarios.edit, scenarios.delete]) {
      const repaired = (await agent.events()).flatMap(({ kind, asn }) =>
        kind === "tunnel-repaired" ? [asn] : [],
      );
      expect(repaired).toContain(unjoined.asn);
      expect(repaired).not.toContain(established.asn);
    }
  },
);
