/**
 * Moves the router from one applied set of peerings to the next.
 *
 * Invariants
 * 1. One job at a time: only this file calls `router.set`, and only inside `exclusive`.
 * 2. The applied set changes only after the router confirmed it and the store saved it, in this order, and is
 * replaced as a whole. A crash in between leaves a router that is ahead of the store: the next start restores
 * it, and the server, which received no response, sends the change again.
 * 3. A change is decided against the applied set when its turn comes. Changes that arrive while a job runs
 * are collected, one per AS, and go to the router together.
 * 4. If a collected set is refused or must wait, each of its changes is tried alone, so that each gets its own outcome.
 * 5. Each change gets exactly one outcome; a refusal means that the router runs the applied set.
 * 6. `outOfSyncFindings` is empty only while the router, when last checked, ran exactly the applied set.
 * 7. Only the steps of the batch that the router is being set for are in progress; each try has a list of its own.
 * 8. The generation of an AS never decreases, also across restarts: deleted peerings leave tombstones.
 */
import type { ApplyOutcome } from "../../contract/agent.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import type { Step } from "../../domain/findings/steps.ts";
import type { EventLog } from "../events/event-log.ts";
import { type Router, RouterBusyError, RouterRefusedError } from "../drivers/router.ts";
import type { Log } from "../log.ts";
import { decideBatch, type Transition } from "./batch.ts";
import { type Change, refusal, unchanged } from "./change.ts";
import { type PendingChange, takeOnePerAs } from "./pending-changes.ts";
import { createExclusive, type Exclusive } from "../exclusive.ts";
import {
  type AppliedSet,
  appliedSet,
  routedOf,
  type PeeringVersion,
  withApplied,
  withDatabase,
} from "./applied-peering.ts";
import type { StateStore } from "./state-file.ts";
import { createStepLog, type PeeringChange, type StepLog } from "./steps.ts";
import { createSyncState, errorMessage } from "./sync-state.ts";

export interface ReconcilerOptions {
  readonly router: Pick<Router, "set" | "findDrift">;
  readonly store: StateStore;
  readonly events: Pick<EventLog, "record">;
  readonly log: Log;
}

export interface Reconciler extends AsyncDisposable {
  readonly applied: () => AppliedSet;
  /** Why the router may not run the applied set; empty while it does. */
  readonly outOfSyncFindings: () => readonly Finding[];
  /** Whether the router has run the applied set since the agent started. */
  readonly hasBeenInSync: () => boolean;
  /** Resolves with the outcome of the change; rejects if the router's state is unknown or the agent stops. */
  readonly apply: (change: Change) => Promise<ApplyOutcome>;
  /**
   * The steps done so far of the change that takes an AS to this generation; empty unless the router is being set
   * for it now.
   */
  readonly progress: (asn: string, generation: number) => readonly Step[];
  /**
   * Stores that a database deployed these peerings. Returns those whose generation differs, which are not paired.
   * Rejects if the state cannot be saved; nothing is paired then.
   */
  readonly pair: (database: string, peerings: readonly PeeringVersion[]) => Promise<readonly string[]>;
  /**
   * Asks the router whether it still runs the applied set; `unreachable` if it does not respond. Does not
   * reject.
   */
  readonly checkDrift: () => Promise<"in sync" | "drifted" | "unreachable">;
  /** Runs a job of another part while this one does not use the router. */
  readonly exclusive: Exclusive;
  /** Makes the router run the applied set, unless it is known to. Returns whether it does. Does not reject. */
  readonly resync: () => Promise<boolean>;
}

/** The changes that the router is being set for. */
interface Batch {
  readonly transitions: readonly Transition[];
  readonly steps: StepLog;
}

interface Refused {
  readonly cause: Finding;
  readonly steps: readonly Step[];
}

/** Loads the applied state and gives it to the router. Rejects only if the stored state cannot be read. */
export async function openReconciler(options: ReconcilerOptions): Promise<Reconciler> {
  const { router, store, log } = options;
  const exclusive = createExclusive();
  const pending: PendingChange[] = [];
  let applied = appliedSet(await store.load());
  const sync = createSyncState(options.events);
  let isUnreachable = false;
  let isStopping = false;
  let inProgress: Batch | null = null;

  const resync = () =>
    exclusive(async () => {
      if (sync.isInSync() || isStopping) return sync.isInSync();
      try {
        const steps = createStepLog([]);
        await router.set(routedOf(applied), steps.report);
        sync.noteInSync(steps);
        log.info({ steps: steps.shared() }, "the router runs the applied configuration");
      } catch (error) {
        if (error instanceof RouterBusyError) {
          sync.noteRepairWaits(error);
        } else {
          sync.noteRepairFailed(error);
          log.error({ err: error }, "the applied configuration could not be restored");
        }
      }
      return sync.isInSync();
    });

  const checkDrift = () =>
    exclusive(async () => {
      try {
        const drift = isStopping ? [] : await router.findDrift();
        if (drift.length > 0) sync.noteDrift(drift);
        isUnreachable = false;
        return sync.isInSync() ? "in sync" : "drifted";
      } catch (error) {
        if (!isUnreachable) log.warn({ reason: errorMessage(error) }, "could not check the router for drift");
        isUnreachable = true;
        return "unreachable";
      }
    });

  async function applyPending(): Promise<void> {
    const batch = takeOnePerAs(pending);
    if (isStopping) return batch.forEach(({ reject }) => reject(new AgentStoppingError()));
    const rest = await applyBatch(batch);
    for (const change of rest) await applyBatch([change]);
  }

  /**
   * Applies a batch and gives every change its outcome. Returns the changes of a refused batch of several,
   * which are then tried alone.
   */
  async function applyBatch(batch: readonly PendingChange[]): Promise<readonly PendingChange[]> {
    const transitions = decideBatch(batch, applied, sync.isInSync());
    if (transitions.length === 0) return [];
    const steps = createStepLog(transitions.map(peeringChange));
    inProgress = { transitions, steps };
    try {
      const refused = await applyTransitions(transitions, steps);
      if (refused !== null && transitions.length > 1)
        return transitions.map((transition) => transition.pending);
      for (const transition of transitions)
        transition.pending.resolve(
          refused === null ? appliedOutcome(transition, steps) : refusal(refused.cause, refused.steps),
        );
    } catch (error) {
      if (error instanceof RouterBusyError && transitions.length > 1)
        return transitions.map((transition) => transition.pending);
      for (const transition of transitions) transition.pending.reject(error);
    } finally {
      inProgress = null;
    }
    return [];
  }

  /**
   * Applies transitions to the router and the store. Returns null on success, or why they were refused when both have
   * their previous state.
   */
  async function applyTransitions(
    transitions: readonly Transition[],
    steps: StepLog,
  ): Promise<Refused | null> {
    const next = withApplied(
      applied,
      transitions.map(({ to }) => to),
    );
    try {
      await router.set(routedOf(next), steps.report);
    } catch (error) {
      if (error instanceof RouterBusyError) throw error;
      if (!(error instanceof RouterRefusedError)) throw markOutOfSync(error);
      log.warn({ err: error, asns: transitions.map(({ to }) => to.asn) }, "the router refused the change");
      return { cause: error.finding, steps: steps.shared() };
    }
    try {
      await store.save(Array.from(next.values()));
    } catch (error) {
      return rollBack(error);
    }
    applied = next;
    const changed = transitions.map(({ to }) => to.asn);
    sync.noteInSync(steps, changed);
    steps.finish();
    return null;
  }

  /**
   * Restores the previous configuration when the state cannot be saved: an unsaved configuration would be
   * gone after a restart.
   */
  async function rollBack(cause: unknown): Promise<Refused> {
    log.error({ err: cause }, "the state could not be saved; restoring the router");
    try {
      await router.set(routedOf(applied), createStepLog([]).report);
    } catch (error) {
      throw markOutOfSync(error);
    }
    return { cause: { code: "state-not-saved", facts: {} }, steps: [] };
  }

  function markOutOfSync(error: unknown): unknown {
    sync.noteUnknown(error);
    return error;
  }

  const pair = (database: string, peerings: readonly PeeringVersion[]) =>
    exclusive(async () => {
      const { paired, changed } = withDatabase(applied, database, peerings);
      await store.save(Array.from(paired.values()));
      applied = paired;
      return changed;
    });

  await resync();
  return {
    applied: () => applied,
    outOfSyncFindings: sync.findings,
    hasBeenInSync: sync.hasBeenInSync,
    apply: (change) =>
      new Promise((resolve, reject) => {
        pending.push({ change, resolve, reject });
        void exclusive(applyPending);
      }),
    progress: (asn, generation) => {
      const isAsked = ({ to }: Transition) => to.asn === asn && to.generation === generation;
      return inProgress?.transitions.some(isAsked) ? inProgress.steps.of(asn) : [];
    },
    pair,
    checkDrift,
    exclusive,
    resync,
    [Symbol.asyncDispose]: async () => {
      isStopping = true;
      await exclusive(async () => {});
    },
  };
}

/** The agent is stopping; the change was not started. */
export class AgentStoppingError extends Error {
  override readonly name = "AgentStoppingError";

  constructor() {
    super("The agent is stopping. The change was not started; send it again.");
  }
}

function peeringChange({ from, to }: Transition): PeeringChange {
  return { asn: to.asn, from: from?.routed ?? null, to: to.routed };
}

function appliedOutcome({ to }: Transition, steps: StepLog): ApplyOutcome {
  const done = steps.of(to.asn);
  return done.length === 0 ? unchanged : { outcome: "applied", steps: done, reason: null };
}
