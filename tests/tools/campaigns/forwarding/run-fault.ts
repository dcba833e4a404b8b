/** Plants a fault, waits until the agent names it, removes it, and waits until the agent says nothing of it any more. */
import { findDisruptions } from "#tests/lab/router-state.ts";
import type { Fault } from "./faults.ts";
import { isAsBefore, judge, type Sample } from "./judge.ts";
import { numbers } from "./plan.ts";
import type { Scene } from "./scene.ts";

export interface FaultResult {
  readonly fault: Fault;
  /** Pairs of networks whose packets were lost, of `pairs`. */
  readonly lost: number;
  readonly pairs: number;
  readonly named: string | null;
  /** When, in seconds on the agent's clock after it was planted. */
  readonly namedAfter: number;
  /** When nothing of it was left, after it was removed; null if something stayed. */
  readonly clearedAfter: number | null;
  readonly wrong: readonly string[];
}

const limitSeconds = 120;
/** A reply to a probe is awaited for a second, however fast the agent's clock runs. */
const quickSeconds = 30;
/** Timers of BIRD and of WireGuard do not follow that clock either. */
const slowSeconds = 120;
/** What is said only later must not be wrong either. */
const lingerSeconds = 20;
/** Loss is a share of five minutes, and ends of sessions count for ten. */
const clearSeconds = 700;
const sampleSeconds = 2;
/** Asking more often takes the processor from what is waited for. */
const minPauseSeconds = 1.5;

export const hasPassed = ({ fault, named, wrong, clearedAfter }: FaultResult) =>
  (named !== null || fault.mayPass === true) && wrong.length === 0 && clearedAfter !== null;

/** Waits until everything works, and every way has been probed. */
export async function settle(scene: Scene): Promise<Sample> {
  const startedAt = scene.seconds();
  for (;;) {
    const [now, { lost }] = [await scene.sample(), await scene.traffic()];
    const isSettled = now.peerings.every(
      ({ tunnel, bgpStatus, findings }) =>
        tunnel.state === "Up" && bgpStatus === "OK" && tunnel.lossPercent !== null && findings.length === 0,
    );
    if (isSettled && lost.length === 0 && now.links.every(({ status }) => status === "up")) return now;
    if (scene.seconds() - startedAt > 30 * limitSeconds)
      throw new Error(`The scene does not settle: ${lost.join(", ")} ${JSON.stringify(now)}`);
    await waitForSample(scene);
  }
}

/** @param onNamed called once, while the fault is there and named */
export async function runFault(
  scene: Scene,
  fault: Fault,
  before: Sample,
  onNamed: () => Promise<void> = async () => {},
): Promise<FaultResult> {
  const others = numbers.filter((number) => !(fault.disturbed ?? []).includes(number));
  const readOthers = () => Promise.all(others.map(scene.connections));
  const connections = await readOthers();
  const wrong = new Set<string>();
  const plantedAt = scene.seconds();
  const slowUntil = performance.now() + 1000 * (fault.isQuick === true ? quickSeconds : slowSeconds);
  await fault.plant(scene);
  const traffic = scene.traffic();
  let named: string | null = null;
  let namedAt = plantedAt;
  const { limitSeconds: limit = limitSeconds } = fault;
  for (;;) {
    await waitForSample(scene);
    const now = scene.seconds();
    const verdict = judge(fault, before, await scene.sample());
    for (const each of verdict.wrong) wrong.add(each);
    if (named === null && verdict.named !== null) {
      [named, namedAt] = [verdict.named, now];
      await onNamed();
    }
    const isLate = now - plantedAt > limit && performance.now() > slowUntil;
    if (named === null ? isLate : now - namedAt > lingerSeconds) break;
  }
  const { lost, pairs } = await traffic;
  await fault.remove(scene);
  const clearedAfter = await waitUntilCleared(scene, before);
  const after = await readOthers();
  connections.forEach((sessions, index) =>
    sessions.forEach((session, at) => {
      const other = after[index]?.[at] ?? { since: null, handshake: 0, rxBytes: 0 };
      for (const each of findDisruptions(session, other)) wrong.add(`participant ${others[index]}: ${each}`);
    }),
  );
  const namedAfter = namedAt - plantedAt;
  return { fault, lost: lost.length, pairs, named, namedAfter, clearedAfter, wrong: Array.from(wrong) };
}

async function waitUntilCleared(scene: Scene, before: Sample): Promise<number | null> {
  const removedAt = scene.seconds();
  const slowUntil = performance.now() + 1000 * slowSeconds;
  for (;;) {
    const after = scene.seconds() - removedAt;
    if (isAsBefore(before, await scene.sample()) && (await scene.traffic()).lost.length === 0) return after;
    if (after > clearSeconds && performance.now() > slowUntil) return null;
    await waitForSample(scene);
  }
}

const waitForSample = (scene: Scene) => scene.wait(sampleSeconds, minPauseSeconds);
