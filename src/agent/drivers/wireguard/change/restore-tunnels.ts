/** Gives tunnels the state that they had before a change. */
import { linkChange } from "../addresses.ts";
import type { InterfaceCommands } from "../interface-commands.ts";
import { expectedState, readState } from "../interface-state.ts";
import { type Kernel, type Ports, portsIn } from "../kernel-state.ts";
import { renderConfig } from "../render.ts";
import type { TunnelKeys } from "../tunnel-keys.ts";
import { asnOf, type RoutedSet } from "../tunnel-state.ts";
import { setLink, setPeer } from "./set-tunnel.ts";

export interface RestoreOptions {
  readonly commands: InterfaceCommands;
  readonly keys: Pick<TunnelKeys, "privateKeyOf">;
  readonly readKernel: () => Promise<Kernel>;
  /** The interfaces to restore. */
  readonly names: readonly string[];
  /** The tunnels that are known to have run before. */
  readonly before: RoutedSet | null;
  /** What the kernel had before, for the others. */
  readonly kernelBefore: Kernel | null;
  readonly portsBefore: Ports;
}

/** @param part only what `wg` configures, of the interfaces that exist, or all */
export async function restoreTunnels(part: "config" | "all", options: RestoreOptions): Promise<void> {
  const { commands, names, portsBefore } = options;
  if (names.length === 0) return;
  const kernelNow = await options.readKernel();
  await releasePorts(portsIn(kernelNow), portsBefore, commands.releasePort);
  const restore = part === "config" ? restoreConfig : restoreInterface;
  const errors: unknown[] = [];
  for (const name of names)
    await restore(name, kernelNow, options).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

const routedOf = (name: string, { before }: RestoreOptions) => before?.get(asnOf(name));

async function restoreConfig(name: string, kernelNow: Kernel, options: RestoreOptions): Promise<void> {
  const { commands, keys, kernelBefore } = options;
  const [stateNow, stateBefore] = [kernelNow.states.get(name), kernelBefore?.states.get(name)];
  const routed = routedOf(name, options);
  if (!stateNow) return;
  if (routed) {
    const actual = readState(kernelNow, routed, keys);
    await setPeer(commands, routed, { actual, desired: expectedState(routed, keys) });
  } else if (stateBefore && renderConfig(stateNow) !== renderConfig(stateBefore))
    await commands.configure(name, renderConfig(stateBefore));
}

/** A tunnel that is not known gets its earlier state in the kernel, even if another program had set that state. */
async function restoreInterface(name: string, kernelNow: Kernel, options: RestoreOptions): Promise<void> {
  const { commands, keys, kernelBefore } = options;
  const routed = routedOf(name, options);
  if (routed) {
    const states = { actual: readState(kernelNow, routed, keys), desired: expectedState(routed, keys) };
    await setLink(commands, name, states);
    await setPeer(commands, routed, states);
    return;
  }
  const [previous, current] = [kernelBefore?.links.get(name), kernelNow.links.get(name)];
  const state = kernelBefore?.states.get(name);
  if (!previous || !state) {
    if (current) await commands.remove(name);
    return;
  }
  if (!current) await commands.createDown(name);
  await commands.configure(name, renderConfig(state));
  const change = linkChange(current, previous);
  if (previous.up && current?.up !== true) await commands.up(name, change);
  else await commands.changeLink(name, change);
}

/** Releases ports that move from one tunnel to another: a port must be free in between. */
export async function releasePorts(
  currentPorts: Ports,
  desiredPorts: Ports,
  release: (name: string) => Promise<void>,
): Promise<void> {
  const taken = new Set(desiredPorts.values());
  for (const [name, port] of currentPorts) {
    if (desiredPorts.get(name) !== port && taken.has(port)) await release(name);
  }
}
