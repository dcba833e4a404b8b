/**
 * Compares what nodes hold with what is desired, and repairs the difference: at start, every minute, and
 * when a node answers again.
 *
 * Invariants: at most one reconciliation of a node at a time among all servers (the lock `reconcile <node>`).
 * Peerings with an unfinished task are the deployer's. What was observed is read before what is desired, so
 * that a peering which appears in between is never taken for one that nobody wants; and the generation that
 * removes an unwanted one is taken in the transaction that sees it unwanted.
 */
import type { Logger } from "pino";
import { takeGeneration } from "../../db/generation.ts";
import type { Locks } from "../../db/locks.ts";
import type { Db } from "../../db/open.ts";
import { type Agents, NodeUnreachable } from "../nodes/agents.ts";
import { refreshFacts } from "../nodes/facts.ts";
import { type DesiredPeering, desiredOnNode, findDesired } from "../peerings/desired.ts";
import { goPast } from "../peerings/go-past.ts";
import { unfinishedOfPeering, unfinishedOnNode } from "./tasks.ts";

export interface ReconcilerDeps {
  readonly db: Db;
  readonly agents: Agents;
  readonly locks: Locks;
  readonly log: Logger;
  readonly clock: () => number;
}

export interface Reconciler extends AsyncDisposable {
  start(): void;
}

const everyMs = 60_000;

export function createReconciler(deps: ReconcilerDeps): Reconciler {
  const underWay = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const { signal } = closing;
  const stoppable = { ...deps, agents: abortable(deps.agents, signal) };
  let timer: NodeJS.Timeout | undefined;

  function begin(node: string): void {
    if (signal.aborted || underWay.has(node)) return;
    const work = deps.locks
      .tryExclusive(`reconcile ${node}`, () => reconcileNode(stoppable, node))
      .then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof NodeUnreachable))
            deps.log.error({ err: error, node }, "reconciliation failed");
        },
      )
      .finally(() => underWay.delete(node));
    underWay.set(node, work);
  }

  return {
    start() {
      const beginEverywhere = () => deps.agents.nodes.forEach(begin);
      deps.agents.onReturn(begin);
      timer = setInterval(beginEverywhere, everyMs);
      beginEverywhere();
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      clearInterval(timer);
      await Promise.all(underWay.values());
    },
  };
}

/** The same agents, whose answers nobody waits for once the signal aborts. */
function abortable(agents: Agents, signal: AbortSignal): Agents {
  return { ...agents, ask: (node, name, body) => agents.ask(node, name, body, { signal }) };
}

type Held = { readonly generation: number; readonly present: boolean };

async function reconcileNode(deps: ReconcilerDeps, node: string): Promise<void> {
  await refreshFacts(deps.db, deps.agents, node, deps.clock());
  const held = new Map<string, Held>();
  for (const { asn, ...rest } of await deps.agents.ask(node, "generations", undefined)) held.set(asn, rest);
  const desired = await desiredOnNode(deps.db, node);
  const deploying = new Set((await unfinishedOnNode(deps.db, node)).map(({ asn }) => asn));

  const drifted = desired.filter(({ asn, generation, present }) => {
    const there = held.get(asn);
    return present && !deploying.has(asn) && (there?.generation !== generation || !there.present);
  });
  const wanted = new Set(desired.map(({ asn }) => asn));
  const unwanted = [...held].filter(
    ([asn, { present }]) => present && !wanted.has(asn) && !deploying.has(asn),
  );

  await Promise.all([
    ...drifted.map((peering) => repair(deps, peering, held.get(peering.asn)?.generation ?? 0)),
    ...unwanted.map(([asn, { generation }]) => remove(deps, node, asn, generation)),
  ]);
}

async function repair(deps: ReconcilerDeps, desired: DesiredPeering, heldGeneration: number): Promise<void> {
  const { asn, node, peering } = desired;
  const generation =
    desired.generation > heldGeneration ? desired.generation : await goPast(deps.db, desired, heldGeneration);
  if (generation === null) return;
  const { outcome, reason } = await deps.agents.ask(node, "apply", { asn, generation, desired: peering });
  deps.log.info({ node, asn, generation, outcome, reason }, "drift was repaired");
}

async function remove(deps: ReconcilerDeps, node: string, asn: string, held: number): Promise<void> {
  const generation = await deps.db.transaction().execute(async (tx) => {
    const next = await takeGeneration(tx, held);
    const nobodyWants = !(await findDesired(tx, asn, node)) && !(await unfinishedOfPeering(tx, asn, node));
    return nobodyWants ? next : null;
  });
  if (generation === null) return;
  const { outcome, reason } = await deps.agents.ask(node, "apply", { asn, generation, desired: null });
  deps.log.info({ node, asn, generation, outcome, reason }, "an unwanted peering was removed");
}
