/** BIRD or a tunnel's wireguard-go killed between any two steps of an apply, under an agent that lives on. */
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { interfaceName } from "../../src/domain/bgp-sessions.ts";
import { type Internet, openInternet } from "../../src/lab/namespaces.ts";

import {
  anotherLife,
  cutAt,
  goBefore,
  killTunnel,
  openPairs,
  type Pair,
  record,
  untilEstablished,
} from "./killed-lab.ts";
import { restartKilledBird } from "./lab-node.ts";
import { disturbance, routerState, standing } from "./router-state.ts";

let internet: Internet;
let pairs: Awaited<ReturnType<typeof openPairs>>;

beforeAll(async () => {
  internet = await openInternet();
  pairs = await openPairs(internet);
});
afterAll(() => internet[Symbol.asyncDispose]());

/** Steps in which BIRD or the kernel takes part, or that change what BIRD would start with. */
const seenOutside = /^(ip|wg|wireguard-go|bird:|rename to|write \/proc|answer)/;

const limitMs = 30_000;

/** @param kill gives whether there was something to kill */
async function killAtEveryStep(pair: Pair, kill: () => Promise<boolean>, after: () => Promise<void>) {
  await anotherLife(pair);
  const recorded = await record(pair);
  const outcomes = { old: 0, new: 0, nothing: 0 };
  const answers = new Set<string | null>();
  const steps = recorded.steps
    .map((step, index) => ({ name: step, number: index + 1 }))
    .filter((step) => seenOutside.test(step.name));
  for (const step of steps) {
    await anotherLife(pair);
    await goBefore(pair);
    let killed = false;
    const { outcome, answered } = await cutAt(pair, {
      ...step,
      atStep: async () => {
        killed = await kill();
      },
    });
    outcomes[killed ? outcome : "nothing"] += 1;
    answers.add(answered);
    // An answer says what is: a change was applied, or was refused and nothing changed.
    if (answered !== null) expect(outcome).toBe(answered === "applied" ? "new" : "old");
    await expect
      .poll(async () => [step.name, await routerState(pair.host)], { timeout: limitMs })
      .toEqual([step.name, recorded[outcome]]);
    await after();
  }
  return { steps: steps.length, ...outcomes, answers: [...answers] };
}

type Counts = Awaited<ReturnType<typeof killAtEveryStep>>;

async function expectEvery({ annotate }: TestContext, counts: readonly Counts[]): Promise<void> {
  for (const { steps, old, new: changed, nothing, answers } of counts) {
    await annotate(`${steps} steps: ${JSON.stringify({ old, new: changed, nothing, answers })}`);
    expect(old + changed + nothing).toBe(steps);
    expect(changed).toBeGreaterThan(0);
    expect(answers).toContain("applied");
  }
}

const oldOnes = (counts: readonly Counts[]) => counts.reduce((sum, { old }) => sum + old, 0);
const limit = { timeout: 300_000 };

test(
  "BIRD killed at every step comes back with one whole configuration, and all sessions with it",
  limit,
  async (context) => {
    const killing = Object.values(pairs).map((pair) =>
      killAtEveryStep(
        pair,
        async () => {
          await restartKilledBird(pair.host);
          return true;
        },
        async () => {
          await untilEstablished(pair);
        },
      ),
    );
    const counts = await Promise.all(killing);
    await expectEvery(context, counts);
    expect(oldOnes(counts)).toBeGreaterThan(0);
  },
);

async function killTunnelAtEveryStep(pair: Pair, asn: string): Promise<Counts> {
  const name = interfaceName(pair.standing.asn);
  const undisturbed = await untilEstablished(pair);
  return killAtEveryStep(
    pair,
    () => killTunnel(pair.host, asn),
    async () => {
      expect(disturbance(undisturbed, await standing(pair.host, name))).toEqual([]);
    },
  );
}

test(
  "the changed tunnel's wireguard-go killed at every step: it comes back, and no other is disturbed",
  limit,
  async (context) => {
    const killing = Object.values(pairs).map((pair) => killTunnelAtEveryStep(pair, pair.asn));
    const counts = await Promise.all(killing);
    await expectEvery(context, counts);
    expect(oldOnes(counts)).toBeGreaterThan(0);
  },
);

test(
  "another tunnel's wireguard-go killed at every step: it comes back, and no other is disturbed",
  limit,
  async (context) => {
    const killing = Object.values(pairs).map((pair) => killTunnelAtEveryStep(pair, pair.bystander.asn));
    const counts = await Promise.all(killing);
    await expectEvery(context, counts);
    // Nobody's change fails because of another's tunnel.
    expect(oldOnes(counts)).toBe(0);
  },
);
