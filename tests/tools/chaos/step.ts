import { checkInvariants } from "./invariants.ts";
import type { Model } from "./model.ts";
import type { Environment } from "./environment.ts";

/** A step of a sequence. It changes the app and the model. */
export interface Step {
  readonly name: string;
  /** Whether the step can run now. The default is always. */
  readonly isPossible?: (model: Readonly<Model>) => boolean;
  /** The number of documents that the step may load in each tab. The default is 0. */
  readonly maxLoads?: number;
  readonly run: (environment: Environment, model: Model) => Promise<void>;
}

/** Runs the step if it is possible, and checks the invariants. */
export async function runStep(
  { name, isPossible = () => true, maxLoads = 0, run }: Step,
  environment: Environment,
  model: Model,
): Promise<void> {
  if (!isPossible(model)) return;
  environment.log(name);
  await run(environment, model);
  await checkInvariants(environment, model, maxLoads * environment.device.pages().length);
}
