/**
 * The order of a change of a real router: one list of stages, with an undo for each step.
 *
 * Invariants: a stage begins when the steps of the one before it are done. Those of a stage do not depend on each other and
 * run side by side. All or nothing: if a step fails, the others of its stage are awaited, and all that began are undone in
 * reverse order, one after the other, so that a peer is taken away before BIRD's side of it. Only `confirm` cannot be undone,
 * once BIRD has confirmed. A step that changes nothing is left out, so that a change of WireGuard alone does not touch BIRD.
 *
 * A new tunnel gets its peer last: a participant's router that waits sends its SYN with the first handshake, and BIRD
 * refuses it unless the session is ready. Without a peer it carries no packets, so that it needs no packet filter before.
 * Removed tunnels follow after `confirm` (`router-changes.ts`), so that a rolled-back removal costs no handshake.
 */
import { allDone } from "../../all-done.ts";
import type { GenerationChange } from "../bird/generations.ts";
import type { Firewall } from "../firewall/firewall.ts";
import type { NodeAddresses } from "../drift/node-addresses.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import type { Tunnels } from "../wireguard/tunnels.ts";

export type ApplyStepName =
  | "packet filter"
  | "files"
  | "new links"
  | "changed links"
  | "load"
  | "peers"
  | "confirm";
/** Stages of steps, in their order. */
export type ApplyOrder = ReadonlyArray<readonly ApplyStepName[]>;

export const applyOrder: ApplyOrder = [
  ["packet filter", "files", "new links"],
  ["changed links"],
  ["load"],
  ["peers"],
  ["confirm"],
];

export interface ApplyStep {
  readonly run: () => Promise<void>;
  /** Undoes the step, also if it failed half-way. */
  readonly undo: () => Promise<void>;
}

export interface ApplyContext {
  readonly desired: RoutedSet;
  /** The AS numbers of new or changed peerings. */
  readonly requested: ReadonlySet<string>;
  readonly nodeAddresses: Pick<NodeAddresses, "restore">;
  readonly firewall: Pick<Firewall, "prepare" | "undo">;
  readonly tunnels: Pick<Tunnels, "createLinks" | "changeLinks" | "undoLinks" | "setPeers" | "undoPeers">;
  /** Null if BIRD's files do not change. */
  readonly generation: GenerationChange | null;
  /** Called when the tunnels have their peers. */
  readonly onPeers: () => void;
}

const nothing = async () => {};

/** Returns the steps of a change, by stage. */
export function planSteps(context: ApplyContext, order: ApplyOrder): ReadonlyArray<readonly ApplyStep[]> {
  const { desired, requested, nodeAddresses, firewall, tunnels, generation, onPeers } = context;
  const steps: Readonly<Record<ApplyStepName, ApplyStep | null>> = {
    "packet filter": { run: () => firewall.prepare(desired), undo: firewall.undo },
    files: generation && { run: generation.write, undo: generation.discard },
    "new links": { run: () => tunnels.createLinks(desired, requested), undo: tunnels.undoLinks },
    "changed links": {
      run: async () => {
        await nodeAddresses.restore();
        await tunnels.changeLinks();
      },
      // They may need what new links have, such as a port, so they are undone after those are gone.
      undo: nothing,
    },
    load: generation && { run: generation.load, undo: generation.unload },
    peers: {
      run: async () => {
        await tunnels.setPeers();
        onPeers();
      },
      undo: tunnels.undoPeers,
    },
    confirm: generation && { run: generation.confirm, undo: nothing },
  };
  return order.map((names) => names.map((name) => steps[name]).filter((step) => step !== null));
}

/**
 * Runs the stages. Returns null when all steps are done, and otherwise why they were undone.
 *
 * @throws {Error} the first one of an undo: the router's state is then unknown
 */
export async function runSteps(
  stages: ReadonlyArray<readonly ApplyStep[]>,
): Promise<{ readonly error: unknown } | null> {
  const begun: ApplyStep[] = [];
  try {
    for (const steps of stages) {
      begun.push(...steps);
      await allDone(steps.map((step) => step.run()));
    }
    return null;
  } catch (error) {
    const failures: unknown[] = [];
    for (const step of begun.toReversed())
      await step.undo().catch((failure: unknown) => failures.push(failure));
    if (failures.length > 0) throw failures[0];
    return { error };
  }
}
