/** Random sequences of steps. Each seed gives one sequence. */
import fc from "fast-check";
import { waitForWorker } from "../../e2e/installed-device.ts";
import { createModel, type Model } from "./model.ts";
import { participants } from "./participants.ts";
import { type Step, runStep } from "./step.ts";
import * as environmentSteps from "./environment-steps.ts";
import * as forms from "./form-steps.ts";
import * as navigation from "./navigation-steps.ts";
import { checkServer } from "./final-checks.ts";
import { createEnvironment, type Environment, type EnvironmentOptions } from "./environment.ts";

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
const [first, second] = participants;

/** Each step with its relative frequency. */
const anyStep = fc.oneof(
  { weight: 3, arbitrary: fixed(environmentSteps.setNetwork("offline")) },
  { weight: 2, arbitrary: fixed(environmentSteps.setNetwork("hang")) },
  { weight: 4, arbitrary: fixed(environmentSteps.setNetwork("online")) },
  { weight: 2, arbitrary: fixed(environmentSteps.killServer) },
  { weight: 4, arbitrary: fixed(environmentSteps.startServer) },
  { weight: 2, arbitrary: fixed(environmentSteps.publishVersion) },
  { weight: 2, arbitrary: fixed(environmentSteps.acceptVersion) },
  { weight: 2, arbitrary: fixed(environmentSteps.killTab) },
  { weight: 2, arbitrary: fixed(environmentSteps.killBrowser) },
  { weight: 1, arbitrary: fixed(environmentSteps.expireLoginSession) },
  { weight: 3, arbitrary: fixed(environmentSteps.openTab) },
  { weight: 3, arbitrary: fixed(environmentSteps.switchTab) },
  { weight: 1, arbitrary: fixed(environmentSteps.closeOtherTab) },
  { weight: 1, arbitrary: fixed(environmentSteps.evictStorage) },
  { weight: 2, arbitrary: fixed(navigation.reload) },
  { weight: 2, arbitrary: fixed(navigation.goBack) },
  { weight: 3, arbitrary: fc.constantFrom(...navigation.screens).map(navigation.openScreen) },
  { weight: 4, arbitrary: fc.nat({ max: 19 }).map(navigation.clickLink) },
  { weight: 2, arbitrary: fixed(navigation.logOut) },
  { weight: 3, arbitrary: fixed(navigation.logIn(first)) },
  { weight: 4, arbitrary: fixed(navigation.logIn(second)) },
  { weight: 4, arbitrary: peering.map(forms.startPeering) },
  { weight: 2, arbitrary: peering.map(forms.rewritePeering) },
  { weight: 1, arbitrary: fixed(forms.cancelPeering) },
  { weight: 4, arbitrary: fixed(forms.submitPeering) },
  { weight: 2, arbitrary: fixed(forms.checkTasks) },
  { weight: 3, arbitrary: message.map(forms.writeMessage) },
  { weight: 2, arbitrary: fixed(forms.sendMessage) },
);

export interface Outcome {
  /** The names of the steps that ran, in order. */
  readonly steps: readonly string[];
  /** The reason for the failure, or null. */
  readonly failure: string | null;
}

export interface RunOptions extends Omit<EnvironmentOptions, "log"> {
  /** The path of the screenshot that is taken after a failure. */
  readonly screenshot: string;
}

/**
 * Returns the sequence of a seed.
 *
 * @param length the number of drawn steps, some of which are not possible when they are reached
 */
export function drawSequence(seed: number, length: number): readonly Step[] {
  const sequence = fc.array(anyStep, { minLength: length, maxLength: length, size: "max" });
  return fc.sample(sequence, { seed, numRuns: 1 })[0] ?? [];
}

export async function runSequence(
  sequence: readonly Step[],
  { screenshot, ...options }: RunOptions,
): Promise<Outcome> {
  const steps: string[] = [];
  await using environment = await createEnvironment({ ...options, log: (name) => steps.push(name) });
  const model = createModel();
  try {
    await openWithInstalledApp(environment, model);
    for (const step of sequence) await runStep(step, environment, model);
    await recover(environment, model);
    await checkServer(environment, model);
    return { steps, failure: null };
  } catch (error) {
    const page = environment.device.page();
    await page.screenshot({ path: screenshot }).catch(() => undefined);
    return { steps, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Removes steps that are not needed for the failure, one at a time. */
export async function shrinkSequence(
  sequence: readonly Step[],
  options: RunOptions,
): Promise<readonly Step[]> {
  let short = sequence;
  for (let index = sequence.length - 1; index >= 0; index -= 1) {
    const shorter = short.toSpliced(index, 1);
    const { failure } = await runSequence(shorter, options);
    if (failure !== null) short = shorter;
  }
  return short;
}

/** Opens the app, waits until it is completely on the device, and logs in. */
async function openWithInstalledApp(environment: Environment, model: Model): Promise<void> {
  const { device } = environment;
  const page = device.page();
  await page.goto("/");
  await waitForWorker(page);
  device.takeLoads();
  await runStep(navigation.logIn(first), environment, model);
}

/** Closes the other tab, restores network and server, and checks that drafts and deployments are intact. */
async function recover(environment: Environment, model: Model): Promise<void> {
  const last = [
    environmentSteps.closeOtherTab,
    environmentSteps.setNetwork("online"),
    environmentSteps.startServer,
    forms.returnToPeering,
    forms.returnToMessage,
    forms.checkTasks,
  ];
  for (const step of last) await runStep(step, environment, model);
}
