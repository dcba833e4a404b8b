/**
 * The order of a change of a real router: one list of steps, each with its undo.
 *
 * Invariants: all or nothing. If a step fails, it and the steps before it are undone in reverse order, so that a peer is taken
 * away before BIRD's side of it. Only `confirm` cannot be undone, once BIRD has confirmed. A step that changes nothing is
 * left out, so that a change of WireGuard alone does not touch BIRD.
 *
 * A new tunnel gets its peer last: a participant's router that waits sends its SYN with the first handshake, and BIRD
 * refuses it unless the session is ready. Removed tunnels follow after `confirm` (`router-changes.ts`), so that a
 * rolled-back removal costs no handshake.
 */
import type { GenerationChange } from "../bird/generations.ts";
import type { Firewall } from "../firewall/firewall.ts";
import type { NodeAddresses } from "../drift/node-addresses.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import type { Tunnels } from "../wireguard/tunnels.ts";

/** In their order. */
export const applySteps = ["packet filter", "links", "files", "load", "peers", "confirm"] as const;
export type ApplyStepName = (typeof applySteps)[number];

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
  readonly tunnels: Pick<Tunnels, "setLinks" | "undoLinks" | "setPeers" | "undoPeers">;
  /** Null if BIRD's files do not change. */
  readonly generation: GenerationChange | null;
  /** Called when the tunnels have their peers. */
  readonly onPeers: () => void;
}

const nothing = async () => {};

/** Returns the steps of a change. */
export function planSteps(context: ApplyContext): readonly ApplyStep[] {
  const { desired, requested, nodeAddresses, firewall, tunnels, generation, onPeers } = context;
  const steps: Readonly<Record<ApplyStepName, ApplyStep | null>> = {
    "packet filter": { run: () => firewall.prepare(desired), undo: firewall.undo },
    links: {
      run: async () => {
        await nodeAddresses.restore();
        await tunnels.setLinks(desired, requested);
      },
      undo: tunnels.undoLinks,
    },
    files: generation && { run: generation.write, undo: generation.discard },
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
  return applySteps.map((name) => steps[name]).filter((step) => step !== null);
}

/**
 * Runs the steps. Returns null when all are done, and otherwise why they were undone.
 *
 * @throws {Error} the first one of an undo: the router's state is then unknown
 */
export async function runSteps(steps: readonly ApplyStep[]): Promise<{ readonly error: unknown } | null> {
  const begun: ApplyStep[] = [];
  try {
    for (const step of steps) {
      begun.unshift(step);
      await step.run();
    }
    return null;
  } catch (error) {
    const failures: unknown[] = [];
    for (const step of begun) await step.undo().catch((failure: unknown) => failures.push(failure));
    if (failures.length > 0) throw failures[0];
    return { error };
  }
}
