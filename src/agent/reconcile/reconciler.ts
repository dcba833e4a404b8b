/**
 * Brings the router from one confirmed set of peerings to the next.
 *
 * Invariants
 * 1. One work at a time: `router.set` is called here alone, inside `exclusive`.
 * 2. What is held changes only after the router confirmed it and the store kept it, in this order, and is
 *    replaced whole. Dying in between leaves a router that is ahead of the store: the next start puts it
 *    back, and the server, which never got an answer, sends the change again.
 * 3. A change is decided against what is held when its turn comes. Changes that arrive while a work runs
 *    are gathered, one for each AS, and go to the router together.
 * 4. When a gathered set is refused, each of its changes is tried alone, so that it is answered for itself.
 * 5. Each change is answered exactly once; a refusal means that the router runs what is held.
 * 6. `unsettled` is null only while the router, when last looked at, ran exactly what is held.
 * 7. The generation held for an AS never decreases, across restarts too: deleted peerings leave tombstones.
 */
import type { ApplyOutcome } from "../../contract/agent.ts";
import { type Router, RouterRefused } from "../drivers/router.ts";
import type { Log } from "../log.ts";
import { type Change, type Decision, refusal, unchanged } from "./change.ts";
import { clashIn } from "./clash.ts";
import { createExclusive } from "./exclusive.ts";
import { type HeldPeering, type HeldSet, heldSet, routedOf, withHeld } from "./held-peering.ts";
import { planSteps } from "./plan.ts";
import type { StateStore } from "./state-file.ts";
import { createStepLog, type StepLog } from "./step-log.ts";

export interface ReconcilerOptions {
  readonly router: Pick<Router, "set" | "differences">;
  readonly store: StateStore;
  readonly log: Log;
}

export interface Reconciler extends AsyncDisposable {
  readonly held: () => HeldSet;
  /** Why the router may not run what is held, a sentence; null while it does. */
  readonly unsettled: () => string | null;
  /** Resolves when the change was decided; rejects when the router's state is unknown, or the agent stops. */
  readonly apply: (change: Change) => Promise<ApplyOutcome>;
  /** Asks the router whether it still runs what is held; `silent` where it does not answer. Does not reject. */
  readonly look: () => Promise<"runs" | "differs" | "silent">;
  /** Makes the router run what is held, where it is not known to. Does not reject. */
  readonly settle: () => Promise<void>;
}

interface Waiting {
  readonly change: Change;
  readonly resolve: (outcome: ApplyOutcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Move {
  readonly waiting: Waiting;
  readonly from: HeldPeering | undefined;
  readonly to: HeldPeering;
}

/** Loads what was confirmed last and gives it to the router. Rejects only where the kept state cannot be read. */
export async function openReconciler({ router, store, log }: ReconcilerOptions): Promise<Reconciler> {
  const exclusive = createExclusive();
  const waiting: Waiting[] = [];
  let held = heldSet(await store.load());
  let doubt: string | null = "The confirmed configuration has not been applied since the agent started.";
  let silent = false;
  let stopping = false;

  const settle = () =>
    exclusive(async () => {
      if (doubt === null || stopping) return;
      try {
        const steps = createStepLog();
        await router.set(routedOf(held), steps.report);
        doubt = null;
        log.info({ steps: steps.all() }, "the router runs the confirmed configuration");
      } catch (error) {
        doubt = `The router does not run the confirmed configuration: ${messageOf(error)}`;
        log.error({ err: error }, "the confirmed configuration could not be applied");
      }
    });

  const look = () =>
    exclusive(async () => {
      try {
        const differences = stopping ? [] : await router.differences();
        if (differences.length > 0) {
          doubt = `The router stopped running the confirmed configuration, which is set again. ${differences.join(" ")}`;
        }
        silent = false;
        return doubt === null ? "runs" : "differs";
      } catch (error) {
        if (!silent) log.warn({ reason: messageOf(error) }, "the router could not be looked at");
        silent = true;
        return "silent";
      }
    });

  async function runWaiting(): Promise<void> {
    const batch = takeOneForEachAs(waiting);
    if (stopping) return batch.forEach(({ reject }) => reject(new AgentStopping()));
    const rest = await runTogether(batch);
    for (const one of rest) await runTogether([one]);
  }

  /** Answers every change of the batch, except that a refused batch of several is returned to be tried alone. */
  async function runTogether(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const moves = decideAll(batch);
    if (moves.length === 0) return [];
    const steps = createStepLog();
    try {
      const refused = await transit(moves, steps);
      if (refused !== null && moves.length > 1) return moves.map((move) => move.waiting);
      for (const move of moves) move.waiting.resolve(refused ?? applied(move, steps));
    } catch (error) {
      for (const move of moves) move.waiting.reject(error);
    }
    return [];
  }

  /** The moves of a batch; changes that need none are answered. Peerings that go make room for those that come. */
  function decideAll(batch: readonly Waiting[]): readonly Move[] {
    const decided = batch.map((one) => {
      const from = held.get(one.change.asn);
      return { one, from, decision: decideUnsettled(one.change, from) };
    });
    for (const { one, decision } of decided) {
      if (decision.kind === "answer") one.resolve(decision.outcome);
    }
    let next = held;
    const moves = decided.flatMap(({ one, from, decision }) =>
      decision.kind === "move" ? [{ waiting: one, from, to: decision.to }] : [],
    );
    return moves
      .toSorted((a, b) => Number(a.to.routed !== null) - Number(b.to.routed !== null))
      .filter(({ waiting: one, to }) => {
        const clash = clashIn(next, to);
        if (clash === null) next = withHeld(next, [to]);
        else one.resolve(refusal(clash));
        return clash === null;
      });
  }

  /** While the router is in doubt, "no changes" would be a guess: what is held is set again. */
  function decideUnsettled(change: Change, from: HeldPeering | undefined): Decision {
    const decision = change.decide(from);
    const again = decision.kind === "answer" && decision.outcome === unchanged && doubt !== null && from;
    return again ? { kind: "move", to: from } : decision;
  }

  /** Null when router and store took the moves; the refusal when both have what they had before. */
  async function transit(moves: readonly Move[], steps: StepLog): Promise<ApplyOutcome | null> {
    const next = withHeld(
      held,
      moves.map(({ to }) => to),
    );
    try {
      await router.set(routedOf(next), steps.report);
    } catch (error) {
      if (!(error instanceof RouterRefused)) throw unknownState(error);
      log.warn({ err: error, asns: moves.map(({ to }) => to.asn) }, "the router refused");
      return refusal(error.reason, steps.shared());
    }
    try {
      await store.save(Array.from(next.values()));
    } catch (error) {
      return undo(error, steps);
    }
    held = next;
    doubt = null;
    return null;
  }

  /** What was not kept must not run: after a restart it would be gone. */
  async function undo(cause: unknown, steps: StepLog): Promise<ApplyOutcome> {
    log.error({ err: cause }, "the state could not be kept; restoring the router");
    try {
      await router.set(routedOf(held), steps.report);
    } catch (error) {
      throw unknownState(error);
    }
    return refusal(`The node could not keep its state: ${messageOf(cause)}.`);
  }

  function unknownState(error: unknown): unknown {
    doubt = `The router does not surely run the confirmed configuration: ${messageOf(error)}`;
    return error;
  }

  await settle();
  return {
    held: () => held,
    unsettled: () => doubt,
    apply: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject });
        void exclusive(runWaiting);
      }),
    look,
    settle,
    [Symbol.asyncDispose]: async () => {
      stopping = true;
      await exclusive(async () => {});
    },
  };
}

/** The agent is about to end; the change was not begun. */
export class AgentStopping extends Error {
  override readonly name = "AgentStopping";

  constructor() {
    super("The agent is stopping. The change was not begun; send it again.");
  }
}

/** The first waiting change of each AS, in order; the others stay for the next turn. */
function takeOneForEachAs(waiting: Waiting[]): readonly Waiting[] {
  const taken = new Map<string, Waiting>();
  for (const one of waiting) if (!taken.has(one.change.asn)) taken.set(one.change.asn, one);
  const batch = [...taken.values()];
  const rest = waiting.filter((one) => !batch.includes(one));
  waiting.splice(0, waiting.length, ...rest);
  return batch;
}

function applied({ from, to }: Move, steps: StepLog): ApplyOutcome {
  const done = [...planSteps(from?.routed ?? null, to.routed), ...steps.of(to.asn)];
  return done.length === 0 ? unchanged : { outcome: "applied", steps: done, reason: "" };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
