import { lookAround } from "./look.ts";
import type { Model } from "./model.ts";
import type { World } from "./world.ts";

/** One thing that happens, to the app and to what may be expected of it. */
export interface Step {
  readonly name: string;
  /** Whether it can happen now; always unless given. */
  readonly when?: (model: Readonly<Model>) => boolean;
  /** Documents that it may load; none unless given. */
  readonly loads?: number;
  readonly happen: (world: World, model: Model) => Promise<void>;
}

/** Lets it happen where it can, and looks around. */
export async function take(
  { name, when = () => true, loads = 0, happen }: Step,
  world: World,
  model: Model,
): Promise<void> {
  if (!when(model)) return;
  world.say(name);
  await happen(world, model);
  await lookAround(world, model, loads);
}
