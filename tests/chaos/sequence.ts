/** Random sequences of everything that can happen; a seed stands for one. */
import fc from "fast-check";
import { workerReady } from "../e2e/device.ts";
import { freshModel, type Model } from "./model.ts";
import { people } from "./people.ts";
import { type Step, take } from "./step.ts";
import * as around from "./steps-around.ts";
import * as forms from "./steps-forms.ts";
import * as through from "./steps-through.ts";
import { createWorld, type World, type WorldOptions } from "./world.ts";

const key = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString("base64"));
const word = fc.stringMatching(/^[a-z]{12}$/);
const peering = fc.record({
  "Public key": key,
  "IPv6 tunnel address": fc.stringMatching(/^fe80::[1-9a-f]{4}:[1-9a-f]{4}$/),
});
const message = fc.record({
  "Your name": word,
  "Your email address": word.map((name) => `${name}@example.org`),
  "Your message": word.map((text) => `My session flaps: ${text}.`),
});

const fixed = (step: Step) => fc.constant(step);
const [first, second] = people;

/** With the weight of each: how often it is drawn beside the others. */
const anyStep = fc.oneof(
  { weight: 3, arbitrary: fixed(around.networkBecomes("offline")) },
  { weight: 2, arbitrary: fixed(around.networkBecomes("hang")) },
  { weight: 4, arbitrary: fixed(around.networkBecomes("online")) },
  { weight: 2, arbitrary: fixed(around.serverIsKilled) },
  { weight: 4, arbitrary: fixed(around.serverStarts) },
  { weight: 2, arbitrary: fixed(around.newVersionAppears) },
  { weight: 2, arbitrary: fixed(around.newVersionIsAccepted) },
  { weight: 2, arbitrary: fixed(around.tabIsKilled) },
  { weight: 2, arbitrary: fixed(around.browserIsKilled) },
  { weight: 1, arbitrary: fixed(around.sessionRunsOut) },
  { weight: 2, arbitrary: fixed(through.reloads) },
  { weight: 2, arbitrary: fixed(through.goesBack) },
  { weight: 3, arbitrary: fc.constantFrom(...through.screens).map(through.opens) },
  { weight: 4, arbitrary: fc.nat({ max: 19 }).map(through.clicksLink) },
  { weight: 2, arbitrary: fixed(through.signsOut) },
  { weight: 3, arbitrary: fixed(through.signsIn(first)) },
  { weight: 4, arbitrary: fixed(through.signsIn(second)) },
  { weight: 4, arbitrary: peering.map(forms.beginsPeering) },
  { weight: 2, arbitrary: peering.map(forms.rewritesPeering) },
  { weight: 1, arbitrary: fixed(forms.cancelsPeering) },
  { weight: 4, arbitrary: fixed(forms.submitsPeering) },
  { weight: 2, arbitrary: fixed(forms.looksForTasks) },
  { weight: 3, arbitrary: message.map(forms.writesMessage) },
  { weight: 2, arbitrary: fixed(forms.sendsMessage) },
);

export interface Outcome {
  /** What happened, step by step. */
  readonly happened: readonly string[];
  /** Why it failed; null where all went well. */
  readonly fault: string | null;
}

export interface RunOptions extends Omit<WorldOptions, "say"> {
  /** Where a picture of the screen goes when it fails. */
  readonly screenshot: string;
}

/**
 * The sequence that a seed stands for.
 *
 * @param length how many steps are drawn; some of them cannot happen when it is their turn
 */
export function draw(seed: number, length: number): readonly Step[] {
  const sequence = fc.array(anyStep, { minLength: length, maxLength: length, size: "max" });
  return fc.sample(sequence, { seed, numRuns: 1 })[0] ?? [];
}

export async function run(
  sequence: readonly Step[],
  { screenshot, ...options }: RunOptions,
): Promise<Outcome> {
  const happened: string[] = [];
  await using world = await createWorld({ ...options, say: (name) => happened.push(name) });
  const model = freshModel();
  try {
    await begin(world, model);
    for (const step of sequence) await take(step, world, model);
    await rest(world, model);
    return { happened, fault: null };
  } catch (error) {
    const page = world.device.page();
    await page.screenshot({ path: screenshot }).catch(() => undefined);
    return { happened, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Leaves out what is not needed for the failure, a step at a time. */
export async function shorten(sequence: readonly Step[], options: RunOptions): Promise<readonly Step[]> {
  let short = sequence;
  for (let index = sequence.length - 1; index >= 0; index -= 1) {
    const shorter = short.toSpliced(index, 1);
    const { fault } = await run(shorter, options);
    if (fault !== null) short = shorter;
  }
  return short;
}

/** A person who has used the app before: all of it is on the device. */
async function begin(world: World, model: Model): Promise<void> {
  const { device } = world;
  const page = device.page();
  await page.goto("/");
  await workerReady(page);
  device.takeLoads();
  await take(through.signsIn(first), world, model);
}

/** When all is well again, everything is there again. */
async function rest(world: World, model: Model): Promise<void> {
  const last = [
    around.networkBecomes("online"),
    around.serverStarts,
    forms.returnsToPeering,
    forms.returnsToMessage,
    forms.looksForTasks,
  ];
  for (const step of last) await take(step, world, model);
}
