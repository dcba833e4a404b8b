/**
 * The agent killed between any two steps of an apply: the old or the new generation, whole, and nobody else disturbed.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { interfaceName } from "../../src/domain/bgp-sessions.ts";
import { type Internet, openInternet } from "../../src/lab/namespaces.ts";
import { cutAt, goBefore, openPairs, type Pair, record, untilEstablished } from "./killed-lab.ts";
import { startAgent } from "./lab-agent.ts";
import { restartKilledBird } from "./lab-node.ts";
import { confirmedFiles, disturbance, routerState, standing } from "./router-state.ts";

let internet: Internet;
let pairs: Awaited<ReturnType<typeof openPairs>>;

beforeAll(async () => {
  internet = await openInternet();
  pairs = await openPairs(internet);
});
afterAll(() => internet[Symbol.asyncDispose]());

const limitMs = 10_000;

async function killAtEveryStep(pair: Pair) {
  const { host } = pair;
  const recorded = await record(pair);
  const tunnel = interfaceName(pair.standing.asn);
  const undisturbed = await standing(host, tunnel);
  const outcomes = { old: 0, new: 0 };
  for (const [index, step] of recorded.steps.entries()) {
    await goBefore(pair);
    const { outcome } = await cutAt(pair, {
      number: index + 1,
      name: step,
      atStep: async () => {
        await pair.agent.kill();
        // What BIRD would start with, had the machine gone down as well.
        expect([recorded.old.files, recorded.new.files]).toContainEqual(await confirmedFiles(host));
        pair.agent = await startAgent(host);
      },
    });
    outcomes[outcome] += 1;
    // Its next life may just be starting a handshake anew, with a file for `wg` to read.
    await expect
      .poll(async () => [step, await routerState(host)], { timeout: limitMs })
      .toEqual([step, recorded[outcome]]);
    expect([step, ...disturbance(undisturbed, await standing(host, tunnel))]).toEqual([step]);
    expect((await pair.agent.health()).issues.filter((issue) => issue.includes("configuration"))).toEqual([]);
  }
  const last = await routerState(host);
  await restartKilledBird(host);
  await untilEstablished(pair);
  expect(await routerState(host)).toEqual(last);
  return { ...outcomes, steps: recorded.steps };
}

test(
  "killed before and after every step of an addition, an edit and a deletion",
  { timeout: 300_000 },
  async ({ annotate }) => {
    const counts = await Promise.all(Object.values(pairs).map(killAtEveryStep));
    for (const { steps, ...outcomes } of counts) {
      await annotate(`${steps.length} steps: ${JSON.stringify(outcomes)}`);
      expect(outcomes.old + outcomes.new).toBe(steps.length);
      expect(outcomes.new).toBeGreaterThan(0);
      expect(outcomes.old).toBeGreaterThan(outcomes.new);
      expect(steps).toEqual(
        expect.arrayContaining([
          "bird: configure timeout 60",
          "bird: configure confirm",
          "rename to current",
          "rename to confirmed",
          "rename to state.json",
          "answer",
        ]),
      );
    }
  },
);
