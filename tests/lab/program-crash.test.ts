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
import { isEveryCase, oneOfCommit, shareOfCommit } from "../support/share-of-commit.ts";
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

async function killBirdAtSteps(scenario: CrashScenario) {
  const kill = async () => {
    await restartKilledBird(scenario.host);
    return true;
  };
  return killAtSteps(scenario, kill, async () => {
    await waitUntilEstablished(scenario);
  });
}

async function killTunnelAtSteps(scenario: CrashScenario, asn: string) {
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

type Counts = Awaited<ReturnType<typeof killAtSteps>>;

/**
 * Kills a program at the steps of one kind of change, another one with each commit, and at all of them with EVERY_CASE=1.
 *
 * @param first the kind with which the order begins, so that a run has all kinds
 * @returns how many changes were not made
 */
async function killInChanges(
  { annotate }: TestContext,
  first: number,
  run: (scenario: CrashScenario) => Promise<Counts>,
): Promise<number> {
  const { add, edit, delete: remove } = scenarios;
  const order = [add, edit, remove, add, edit].slice(first, first + 3);
  const counts = await Promise.all(oneOfCommit(order).map(run));
  for (const { steps, old, new: changed, nothing, answers } of counts) {
    await annotate(`${steps} steps: ${JSON.stringify({ old, new: changed, nothing, answers })}`);
    expect(old + changed + nothing).toBe(steps);
    expect(changed).toBeGreaterThan(0);
    expect(answers).toContain("applied");
  }
  return counts.reduce((sum, { old }) => sum + old, 0);
}

/** At few steps, a kill makes the change fail. */
const fewestNotMade = isEveryCase() ? 1 : 0;
const testTimeout = { timeout: 300_000 };

test(
  "BIRD killed between steps restarts with one complete configuration and all sessions",
  testTimeout,
  async (context) => {
    const notMade = await killInChanges(context, 0, killBirdAtSteps);
    expect(notMade).toBeGreaterThanOrEqual(fewestNotMade);
  },
);

test(
  "the changed tunnel's wireguard-go killed between steps is restored, and no other tunnel is disturbed",
  testTimeout,
  async (context) => {
    const notMade = await killInChanges(context, 1, (scenario) => killTunnelAtSteps(scenario, scenario.asn));
    expect(notMade).toBeGreaterThanOrEqual(fewestNotMade);
  },
);

test(
  "another tunnel's wireguard-go killed between steps is restored, and no other tunnel is disturbed",
  testTimeout,
  async (context) => {
    const notMade = await killInChanges(context, 2, async (scenario) => {
      const counts = await killTunnelAtSteps(scenario, scenario.unjoined.asn);
      const repaired = (await scenario.agent.events()).flatMap(({ kind, asn }) =>
        kind === "tunnel-repaired" ? [asn] : [],
      );
      expect(repaired).toContain(scenario.unjoined.asn);
      expect(repaired).not.toContain(scenario.established.asn);
      return counts;
    });
    // A change never fails because of another tunnel.
    expect(notMade).toBe(0);
  },
);
