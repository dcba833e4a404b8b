/**
 * A sequence of the agent campaign: on three nodes at once, a peering is added, edited and deleted while the agent is killed
 * at a step of the apply. The steps follow each other from seed to seed, so that a range of seeds reaches all of them. Steps
 * that run side by side follow each other in an order that changes with the seed; at the end, the agent is killed at a random
 * time while they run side by side. The peering's values, and whether the restarting agent is killed too, are random.
 */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import type { Peering } from "#contract/agent.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { applyOrder } from "#agent/drivers/linux/apply-steps.ts";
import { dualStackOf, peeringOf } from "#agent/fixtures/peerings.ts";
import {
  type CrashScenario,
  type CrashScenarios,
  interruptAt,
  outOfSyncFindings,
  readGeneration,
  recordSteps,
  type Recorded,
  resetToBefore,
  restartAgent,
  startAgentAgain,
} from "#tests/lab/crash-scenarios.ts";
import { killStartingAgent } from "#tests/lab/lab-agent.ts";
import {
  confirmedFiles,
  type ConnectionState,
  connectionState,
  findDisruptions,
  routerState,
} from "#tests/lab/router-state.ts";
import { sequentialOrder } from "#tests/lab/sequential-order.ts";
import { InvariantError, type Outcome } from "../campaign.ts";
import { createRandom, type Random } from "../random.ts";

export interface SequenceOptions {
  readonly seed: number;
  /** How often the agent of each node is killed at a step. */
  readonly killsPerNode: number;
  readonly logs: string;
}

const recoveryMs = 30_000;
/** An apply is shorter, unless the machine is very busy. */
const maxApplyMs = 250;
const kinds = ["add", "edit", "delete"] as const;
type Kind = (typeof kinds)[number];

interface Events {
  readonly log: (event: string) => void;
  readonly count: (name: string) => void;
}

export async function runSequence(scenarios: CrashScenarios, options: SequenceOptions): Promise<Outcome> {
  const { seed, logs } = options;
  const counts = new Map<string, number>();
  const steps: string[] = [];
  const settled = await Promise.allSettled(
    kinds.map(async (kind) => {
      const events = {
        log: (event: string) => void steps.push(`${kind}: ${event}`),
        count: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
      };
      await killAtSteps(scenarios[kind], kind, options, events);
    }),
  );
  const failed = settled.flatMap((each) => (each.status === "rejected" ? [each.reason as Error] : []));
  const failure =
    failed.length === 0 ? null : failed.map(({ stack, message }) => stack ?? message).join("\n");
  if (failure !== null) {
    await writeFile(join(logs, "events.log"), `seed ${seed}\n${steps.join("\n")}\n\n${failure}\n`);
    for (const kind of kinds) await keepFiles(scenarios[kind].host.folder, join(logs, kind));
  }
  return { counts: Object.fromEntries(counts), failure, steps };
}

async function killAtSteps(
  shared: CrashScenario,
  kind: Kind,
  { seed, killsPerNode }: SequenceOptions,
  events: Events,
): Promise<void> {
  const random = createRandom(seed).fork(kind);
  const scenario = { ...shared, ...drawChange(shared, kind, random), order: sequentialOrder(seed) };
  try {
    await restartAgent(scenario);
    const recorded = await recordSteps(scenario);
    events.log(`${recorded.steps.length} steps, ${JSON.stringify(scenario.after ?? scenario.before)}`);
    for (let index = 0; index < killsPerNode; index += 1) {
      const number = ((seed * killsPerNode + index) % recorded.steps.length) + 1;
      await killOnce(scenario, recorded, number, { random, events });
    }
    scenario.order = applyOrder;
    await restartAgent(scenario);
    await killAtRandomTime(scenario, recorded, { random, events });
  } finally {
    shared.agent = scenario.agent;
  }
}

interface KillParts {
  readonly random: Random;
  readonly events: Events;
}

async function killOnce(
  scenario: CrashScenario,
  recorded: Recorded,
  number: number,
  { random, events }: KillParts,
): Promise<void> {
  const { host } = scenario;
  const tunnel = interfaceName(scenario.established.asn);
  await resetToBefore(scenario);
  const before = await connectionState(host, tunnel);
  let title = "";
  let startedAt = 0;
  const { outcome } = await interruptAt(scenario, {
    number,
    name: null,
    atStep: async (steps) => {
      await scenario.agent.kill();
      title = `step ${number}, ${steps.at(-1)}`;
      events.log(title);
      events.count("kills at a step");
      compareSteps(steps, recorded.steps.slice(0, number), events);
      await checkConfirmedFiles(scenario, recorded, title);
      if (random.chance(0.25)) {
        const afterMs = random.integer(900);
        events.log(`the starting agent is killed after ${afterMs} ms`);
        events.count("kills of a starting agent");
        await killStartingAgent(host, afterMs, { order: scenario.order });
      }
      startedAt = performance.now();
      await startAgentAgain(scenario);
    },
  });
  events.count(`${outcome} generations`);
  await checkRecovery(scenario, recorded[outcome], { title: `${title}, ${outcome}`, startedAt, before });
}

async function killAtRandomTime(
  scenario: CrashScenario,
  recorded: Recorded,
  { random, events }: KillParts,
): Promise<void> {
  await resetToBefore(scenario);
  const before = await connectionState(scenario.host, interfaceName(scenario.established.asn));
  const generationBefore = await readGeneration(scenario);
  const afterMs = random.integer(maxApplyMs);
  const title = `after ${afterMs} ms`;
  const applied = scenario.agent.apply(scenario.asn, scenario.after).then(
    ({ outcome }) => outcome,
    // It was killed before it received the change.
    () => null,
  );
  await pause(afterMs);
  await scenario.agent.kill();
  const response = await applied;
  events.log(`${title}, response ${response}`);
  events.count("kills at a random time");
  await checkConfirmedFiles(scenario, recorded, title);
  const startedAt = performance.now();
  await startAgentAgain(scenario);
  const outcome = (await readGeneration(scenario)) === generationBefore ? "old" : "new";
  events.count(`${outcome} generations`);
  if (response !== null && outcome === "old") throw new InvariantError(`${title}: the change is lost`);
  await checkRecovery(scenario, recorded[outcome], { title: `${title}, ${outcome}`, startedAt, before });
}

async function checkConfirmedFiles(
  { host }: CrashScenario,
  recorded: Recorded,
  title: string,
): Promise<void> {
  const files = await confirmedFiles(host);
  if (![recorded.old.files, recorded.new.files].some((known) => isDeepStrictEqual(known, files)))
    throw new InvariantError(`${title}: BIRD would start with other files: ${Object.keys(files).join(", ")}`);
}

interface Recovery {
  readonly title: string;
  readonly startedAt: number;
  /** The other participant's connection before the kill. */
  readonly before: ConnectionState;
}

async function checkRecovery(
  scenario: CrashScenario,
  expected: Recorded["old"],
  { title, startedAt, before }: Recovery,
): Promise<void> {
  await waitForGeneration(scenario, expected, title, startedAt);
  const after = await connectionState(scenario.host, interfaceName(scenario.established.asn));
  const disruptions = findDisruptions(before, after);
  if (disruptions.length > 0) throw new InvariantError(`${title}: ${disruptions.join(", ")}`);
  const [finding] = await outOfSyncFindings(scenario);
  if (finding !== undefined) throw new InvariantError(`${title}: ${JSON.stringify(finding)}`);
}

/** An apply may have more steps than the recorded one, for example if it had to wait for BIRD. That is no fault. */
function compareSteps(steps: readonly string[], recorded: readonly string[], { log, count }: Events): void {
  const index = steps.findIndex((step, at) => step !== recorded[at]);
  if (index === -1) return;
  count("applies with other steps than recorded");
  log(`step ${index + 1} is ${steps[index]} instead of ${recorded[index]}`);
}

async function waitForGeneration(
  { host }: CrashScenario,
  expected: Recorded["old"],
  title: string,
  startedAt: number,
): Promise<void> {
  let last: Recorded["old"] | null = null;
  for (;;) {
    const found = await routerState(host);
    if (isDeepStrictEqual(found, expected)) return;
    // A look may find a file that is just being written, and there are few looks while the machine is very busy.
    const isAtRest = isDeepStrictEqual(found, last);
    last = found;
    if (isAtRest && performance.now() - startedAt > recoveryMs)
      throw new InvariantError(
        `${title}: after ${recoveryMs / 1000} s the node has\n${JSON.stringify(found, null, 1)}\nand not\n${JSON.stringify(expected, null, 1)}`,
      );
    await pause(100);
  }
}

function drawChange(
  { asn }: CrashScenario,
  kind: Kind,
  random: Random,
): Pick<CrashScenario, "before" | "after"> {
  const number = Number(asn.at(-1));
  const [first, second] = [drawPeering(number, random), drawPeering(number, random)];
  return {
    add: { before: null, after: first },
    edit: { before: first, after: second },
    delete: { before: first, after: null },
  }[kind];
}

/** A peering with one of the four combinations of address families and sessions. */
function drawPeering(number: number, random: Random): Peering {
  const changed = {
    endpointPort: 10_000 + random.integer(50_000),
    listenPort: 20_000 + number + 1000 * random.integer(5),
    publicKey: random.key(),
  };
  const dualStack = { ...changed, localIpv4: "172.20.16.1" };
  return random.pick([
    () => peeringOf(number, changed),
    () => dualStackOf(number, dualStack),
    () => dualStackOf(number, { ...dualStack, addressFamily: "IPv4", peerIpv6: null, localIpv6: null }),
    () => peeringOf(number, { ...changed, addressFamily: "IPv6", extendedNextHop: false }),
  ])();
}

/** Copies a node's logs and files, without BIRD's socket. */
async function keepFiles(folder: string, to: string): Promise<void> {
  for (const name of ["state.log", "bird.log", "state", "peerdeck"])
    await cp(join(folder, name), join(to, name), { recursive: true, verbatimSymlinks: true }).catch(
      () => undefined,
    );
}
