/**
 * The agent, BIRD or a tunnel's wireguard-go killed between two steps of an apply: the old or the new generation is complete,
 * and no other peering is disturbed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, type TestContext } from "vitest";
import { allDone } from "../../src/agent/all-done.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import {
  type CrashScenario,
  type CrashScenarios,
  interruptAt,
  killTunnel,
  openScenarios,
  outOfSyncFindings,
  type Recorded,
  recordSteps,
  resetToBefore,
  restartAgent,
  startAgentAgain,
  waitUntilJoined,
} from "./crash-scenarios.ts";
import { isEveryCase, oneOfCommit, shareOfCommit } from "../support/share-of-commit.ts";
import { restartKilledBird } from "./lab-node.ts";
import { runSequence } from "../tools/campaigns/agent/sequence.ts";
import {
  confirmedFiles,
  type ConnectionState,
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
/** A kill and the return of the router take some seconds. */
const stepsPerKill = 6;
const recordings = new Map<CrashScenario, Promise<Recorded>>();

/** The steps of a scenario's change are the same each time, so that they are recorded once. */
function record(scenario: CrashScenario): Promise<Recorded> {
  const recorded = recordings.get(scenario) ?? recordSteps(scenario);
  recordings.set(scenario, recorded);
  return recorded;
}

interface Killing {
  readonly steps: RegExp;
  readonly prepare?: (scenario: CrashScenario) => Promise<void>;
  /** Returns whether there was something to kill. */
  readonly kill: (scenario: CrashScenario, recorded: Recorded) => Promise<boolean>;
  /** Checks a node that is whole again. */
  readonly check: (scenario: CrashScenario, before: ConnectionState) => Promise<void>;
}

const establishedState = ({ host, established }: CrashScenario) =>
  connectionState(host, interfaceName(established.asn));

async function expectUndisturbed(scenario: CrashScenario, before: ConnectionState): Promise<void> {
  expect(findDisruptions(before, await establishedState(scenario))).toEqual([]);
}

async function killAtSteps(scenario: CrashScenario, killing: Killing) {
  await killing.prepare?.(scenario);
  const recorded = await record(scenario);
  const before = await establishedState(scenario);
  const counts = { old: 0, new: 0, nothing: 0 };
  const responses = new Set<string | null>();
  const named = recorded.steps.map((name, index) => ({ name, number: index + 1 }));
  const killed = shareOfCommit(
    named.filter(({ name }) => killing.steps.test(name)),
    stepsPerKill,
  );
  for (const step of killed) {
    await killing.prepare?.(scenario);
    await resetToBefore(scenario);
    let isKilled = false;
    const { outcome, response } = await interruptAt(scenario, {
      ...step,
      atStep: async () => {
        isKilled = await killing.kill(scenario, recorded);
      },
    });
    counts[isKilled ? outcome : "nothing"] += 1;
    responses.add(response);
    // An outcome must match the state: a change was applied, or was refused and nothing changed.
    if (response !== null) expect(outcome).toBe(response === "applied" ? "new" : "old");
    // The agent may just be restarting a handshake, with a file for `wg` to read.
    await expect
      .poll(async () => [step.name, await routerState(scenario.host)], { timeout: timeoutMs })
      .toEqual([step.name, recorded[outcome]]);
    await killing.check(scenario, before);
  }
  expect(counts.old + counts.new + counts.nothing).toBe(killed.length);
  expect(counts.new).toBeGreaterThan(0);
  return { ...counts, responses: [...responses], kills: killed.length, steps: recorded.steps };
}

const agentKilling: Killing = {
  steps: /./,
  kill: async (scenario, recorded) => {
    await scenario.agent.kill();
    // The files that BIRD would start with after a power cut.
    expect([recorded.old.files, recorded.new.files]).toContainEqual(await confirmedFiles(scenario.host));
    await startAgentAgain(scenario);
    return true;
  },
  check: async (scenario, before) => {
    await expectUndisturbed(scenario, before);
    expect(await outOfSyncFindings(scenario)).toEqual([]);
  },
};

async function killAgent(scenario: CrashScenario) {
  const counts = await killAtSteps(scenario, agentKilling);
  const events = await scenario.agent.events();
  expect(events.map(({ kind }) => kind)).toContain("router-restored");
  expect(events.filter(({ asn }) => asn !== null && asn !== scenario.asn)).toEqual([]);
  const last = await settledState(scenario.host);
  await restartKilledBird(scenario.host);
  await waitUntilJoined(scenario);
  expect(await settledState(scenario.host)).toEqual(last);
  return counts;
}

const mainSteps: ReadonlyArray<readonly [RegExp, string]> = [
  [/^nft -f -$/, "filter"],
  [/^(ip -batch -: link add|wireguard-go) /, "create"],
  [/^bird: configure timeout /, "load"],
  [/^wg syncconf /, "peer"],
  [/^wg set \S+ peer .* remove$/, "no peer"],
  [/^bird: configure confirm$/, "confirm"],
  [/^bird: configure undo$/, "undo"],
  [/^ip link delete /, "remove"],
];

function namesOf(steps: readonly string[]): readonly string[] {
  return steps.flatMap((step) => mainSteps.find(([pattern]) => pattern.test(step))?.[1] ?? []);
}

async function killAgents({ annotate }: TestContext): Promise<number> {
  const counts = await allDone(Object.values(scenarios).map(killAgent));
  for (const { steps, kills, ...outcomes } of counts) {
    await annotate(`${kills} of ${steps.length} steps: ${JSON.stringify(outcomes)}`);
    expect(Math.min(outcomes.old, outcomes.new)).toBeGreaterThan(0);
  }
  return counts.reduce((sum, { kills: own }) => sum + own, 0);
}

test("an addition, an edit and a deletion let no participant in before BIRD is ready, and confirm at the end", async () => {
  const recorded = await allDone(Object.values(scenarios).map(record));
  // A tunnel is known to the packet filter before it has a peer, and until it is gone.
  expect(recorded.map(({ steps }) => namesOf(steps))).toEqual([
    ["filter", "create", "load", "peer", "confirm"],
    // The edit moves the tunnel to another key of the node.
    ["filter", "load", "no peer", "peer", "confirm", "filter"],
    ["load", "confirm", "remove", "filter"],
  ]);
  for (const { steps } of recorded)
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
});

test("before each step, the agent returns the steps that the router has done", async () => {
  const { agent, asn, after } = scenarios.add;
  const { steps } = await record(scenarios.add);
  const loaded = ["files-written", "bird-loaded", "session-created", "session-created"];
  for (const [command, codes] of [
    ["fill ", []],
    ["bird: configure timeout", ["files-written"]],
    ["wg ", loaded],
    ["bird: configure confirm", [...loaded, "tunnel-created"]],
  ] as const) {
    await resetToBefore(scenarios.add);
    const { generation = 0 } = (await agent.generations()).find((one) => one.asn === asn) ?? {};
    const readDone = async () => (await agent.progress(asn, generation + 1)).map(({ code }) => code);
    const index = steps.findIndex((step) => step.startsWith(command));
    await agent.apply(asn, after, {
      number: index + 1,
      name: steps[index] ?? "",
      atStep: async () => expect([command, await readDone()]).toEqual([command, codes]),
    });
    expect(await readDone()).toEqual([]);
  }
});

test("a change that BIRD does not confirm is undone in reverse order, the new peer first", async () => {
  const { agent, asn, after, host } = scenarios.add;
  const { steps, old } = await record(scenarios.add);
  await resetToBefore(scenarios.add);
  const name = "bird: configure confirm";
  const { outcome, steps: done } = await agent.apply(asn, after, {
    number: steps.indexOf(name) + 1,
    name,
    // BIRD then has nothing to confirm.
    atStep: async () =>
      void (await host.run("birdc", "-s", join(host.folder, "bird.ctl"), "configure", "confirm")),
  });
  expect(outcome).toBe("refused");
  expect(namesOf(done)).toEqual([
    "filter",
    "create",
    "load",
    "peer",
    "confirm",
    "no peer",
    "undo",
    "remove",
    "filter",
  ]);
  expect(await settledState(host)).toEqual(old);
});

test("after a kill between peers and confirm, the next agent takes the peer away before BIRD forgets its session", async () => {
  const scenario = scenarios.add;
  const { steps, old } = await record(scenario);
  await resetToBefore(scenario);
  const { asn, host } = scenario;
  const signalBird = (signal: string) =>
    host.run("sh", "-c", `kill -${signal} $(cat ${join(host.folder, "bird.pid")})`);
  const name = "bird: configure confirm";
  await interruptAt(scenario, {
    number: steps.indexOf(name) + 1,
    name,
    atStep: async () => {
      await scenario.agent.kill();
      expect(await host.run("wg", "show", interfaceName(asn), "peers")).not.toBe("");
      // BIRD cannot return to the confirmed generation before it goes on.
      await signalBird("STOP");
      const starting = startAgentAgain(scenario);
      try {
        await expect
          .poll(() => host.run("wg", "show", interfaceName(asn), "peers"), { timeout: 30_000 })
          .toBe("");
      } finally {
        await signalBird("CONT");
        await starting;
      }
    },
  });
  await expect.poll(() => routerState(host), { timeout: timeoutMs }).toEqual(old);
});

/** The agent keeps running. */
const programKilling = {
  /** Steps that involve BIRD or the kernel, or that change the files BIRD would start with. */
  steps: /^(ip|wg|wireguard-go|bird:|rename to|write \/proc|respond)/,
  prepare: restartAgent,
  check: expectUndisturbed,
} as const;

const programs: ReadonlyArray<readonly [name: string, killing: Killing]> = [
  [
    "BIRD",
    {
      ...programKilling,
      kill: async ({ host }) => {
        await restartKilledBird(host);
        return true;
      },
      check: async (scenario) => void (await waitUntilJoined(scenario)),
    },
  ],
  ["the changed tunnel", { ...programKilling, kill: ({ host, asn }) => killTunnel(host, asn) }],
  ["another tunnel", { ...programKilling, kill: ({ host, unjoined }) => killTunnel(host, unjoined.asn) }],
];

/** Each program in one kind of change, another one with each commit. */
async function killPrograms({ annotate }: TestContext): Promise<number> {
  const { add, edit, delete: remove } = scenarios;
  const orders = [
    [add, edit, remove],
    [edit, remove, add],
    [remove, add, edit],
  ] as const;
  const notMade = programs.map(() => 0);
  let kills = 0;
  for (const order of oneOfCommit(orders)) {
    const runs = order.map((scenario, index) => killProgram(scenario, index));
    for (const [index, { name, counts }] of (await allDone(runs)).entries()) {
      const { steps, kills: own, ...outcomes } = counts;
      kills += own;
      await annotate(`${name}, ${own} of ${steps.length} steps: ${JSON.stringify(outcomes)}`);
      expect([name, outcomes.responses]).toEqual([name, expect.arrayContaining(["applied"])]);
      notMade[index] = (notMade[index] ?? 0) + outcomes.old;
    }
  }
  const [bird = 0, changed = 0, other] = notMade;
  // At few steps, a kill makes the change fail. A change never fails because of another tunnel.
  expect(Math.min(bird, changed)).toBeGreaterThanOrEqual(isEveryCase() ? 1 : 0);
  expect(other).toBe(0);
  return kills;
}

async function killProgram(scenario: CrashScenario, index: number) {
  const [name = "", killing] = programs[index] ?? [];
  if (!killing) throw new Error(`there is no program ${index}`);
  await waitUntilJoined(scenario);
  const counts = await killAtSteps(scenario, killing);
  if (name === "another tunnel") {
    const events = await scenario.agent.events();
    const repaired = events.flatMap(({ kind, asn }) => (kind === "tunnel-repaired" ? [asn] : []));
    expect(repaired).toContain(scenario.unjoined.asn);
    expect(repaired).not.toContain(scenario.established.asn);
  }
  return { name, counts };
}

/** A short sequence of the campaign, in which the starting agent is killed too. */
async function runShortCampaign(): Promise<number> {
  const logs = await mkdtemp(join(tmpdir(), "peerdeck-campaign-"));
  const { failure, counts } = await runSequence(scenarios, { seed: 2, killsPerNode: 1, logs });
  // The logs of a failure are kept.
  if (failure === null) onTestFinished(() => rm(logs, { recursive: true }));
  expect({ failure, logs }).toEqual({ failure: null, logs });
  expect(counts["kills of a starting agent"]).toBeGreaterThan(0);
  return counts["kills at a step"] ?? 0;
}

const killings: ReadonlyArray<readonly [string, (context: TestContext) => Promise<number>]> = [
  ["the agent", killAgents],
  ["BIRD or wireguard-go", killPrograms],
  ["the agent, also while it starts", runShortCampaign],
];

test.for(oneOfCommit(killings))(
  "%s killed between steps: the old or the new generation is complete, and no other peering is disturbed",
  { timeout: 900_000 },
  async ([, kill], context) => expect(await kill(context)).toBeGreaterThanOrEqual(3),
);
