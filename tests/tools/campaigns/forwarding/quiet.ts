/** Nothing is said about a node on which nothing is wrong, and one note about a line that loses packets. */
import { type Fault, faults } from "./faults.ts";
import { findingsOf, judge, type Sample } from "./judge.ts";
import { numbers } from "./plan.ts";
import { settle } from "./run-fault.ts";
import type { Scene } from "./scene.ts";

interface QuietResult {
  readonly title: string;
  readonly wrong: readonly string[];
}

const sampleSeconds = 5;

/** Watches the scene for so many seconds without a fault, and as long while one line loses a quarter of its packets. */
export async function runQuiet(
  scene: Scene,
  seconds: number,
  print: (text: string) => void,
): Promise<readonly QuietResult[]> {
  const loss = faults.find(({ id }) => id === "loss-25");
  if (!loss) throw new Error("there is no such fault");
  const nothing = await watch(scene, { ...loss, concerned: [] }, seconds, print);
  const before = await settle(scene);
  await loss.plant(scene);
  const lossy = await watch(scene, loss, seconds, print, before);
  await loss.remove(scene);
  const notes =
    lossy.notes.size === 1 ? [] : [`${lossy.notes.size} kinds of notes: ${[...lossy.notes].join(", ")}`];
  return [
    { title: `${seconds} s without a fault`, wrong: nothing.wrong },
    { title: `${seconds} s with ${loss.title}`, wrong: [...lossy.wrong, ...notes] },
  ];
}

async function watch(
  scene: Scene,
  fault: Fault,
  seconds: number,
  print: (text: string) => void,
  known?: Sample,
) {
  const before = known ?? (await settle(scene));
  const wrong = new Set<string>();
  const notes = new Set<string>();
  const startedAt = scene.seconds();
  for (let after = 0; after < seconds; after = scene.seconds() - startedAt) {
    const now = await scene.sample();
    for (const each of judge(fault, before, now).wrong) {
      if (!wrong.has(each)) print(`after ${after.toFixed(0)} s: ${each}`);
      wrong.add(each);
    }
    for (const number of numbers)
      for (const { code } of findingsOf(now, number)) notes.add(`participant ${number}: ${code}`);
    await scene.wait(sampleSeconds, 0.5);
  }
  return { wrong: Array.from(wrong), notes };
}
