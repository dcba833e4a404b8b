/**
 * Compares the applied generations of nodes with the desired ones and repairs drift: at start, every minute, and when
 * a node becomes reachable again.
 *
 * Invariants: among all servers at most one reconciles a node at a time (the lock `reconcile <node>`). Peerings with an
 * unfinished task belong to the deployer. The applied state is read before the desired state, so that a peering which
 * appears in between does not count as unwanted. The generation that removes an unwanted peering is taken in the
 * transaction that finds it unwanted.
 */
import type { Logger } from "pino";
import { takeGeneration } from "../../../db/generation.ts";
import type { Locks } from "../../../db/locks.ts";
import type { Db } from "../../../db/open.ts";
import { type AgentClient, NodeUnreachableError } from "../../../agents/agent-client.ts";
import { refreshNodeFacts } from "../../../agents/node-facts.ts";
import { type DesiredPeering, findDesiredOnNode, findDesired, bumpGeneration } from "../desired-peerings.ts";
import { findUnfinishedOfPeering, findUnfinishedOnNode } from "./task-store.ts";

export interface NodeReconcilerDeps {
  readonly db: Db;
  readonly agents: AgentClient;
  readonly locks: Locks;
  readonly log: Logger;
  readonly clock: () => number;
}

export interface NodeReconciler extends AsyncDisposable {
  start(): void;
}

const everyMs = 60_000;

export function createNodeReconciler(deps: NodeReconcilerDeps): NodeReconciler {
  const inProgress = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const { signal } = closing;
  const stoppable = { ...deps, agents: abortable(deps.agents, signal) };
  let timer: NodeJS.Timeout | undefined;

  function begin(node: string): void {
    if (signal.aborted || inProgress.has(node)) return;
    const work = deps.locks
      .tryExclusive(`reconcile ${node}`, () => reconcileNode(stoppable, node))
      .then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof NodeUnreachableError))
            deps.log.error({ err: error, node }, "reconciliation failed");
        },
      )
      .finally(() => inProgress.delete(node));
    inProgress.set(node, work);
  }

  return {
    start() {
      const beginEverywhere = () => deps.agents.nodes.forEach(begin);
      deps.agents.onReachable(begin);
      timer = setInterval(beginEverywhere, everyMs);
      beginEverywhere();
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      clearInterval(timer);
      await Promise.all(inProgress.values());
    },
  };
}

/** The same client, whose calls end when the signal aborts. Ignores the caller's call options. */
function abortable(agents: AgentClient, signal: AbortSignal): AgentClient {
  return { ...agents, ask: (node, name, body) => agents.ask(node, name, body, { signal }) };
}

type Applied = { readonly generation: number; readonly present: boolean };

async function reconcileNode(deps: NodeReconcilerDeps, node: string): Promise<void> {
  await refreshNodeFacts(deps.db, deps.agents, node, deps.clock());
  const applied = new Map<string, Applied>();
  for (const { asn, ...rest } of await deps.agents.ask(node, "generations", undefined))
    applied.set(asn, rest);
  const desired = await findDesiredOnNode(deps.db, node);
  const deploying = new Set((await findUnfinishedOnNode(deps.db, node)).map(({ asn }) => asn));

  const drifted = desired.filter(({ asn, generation, present }) => {
    const found = applied.get(asn);
    return present && !deploying.has(asn) && (found?.generation !== generation || !found.present);
  });
  const desiredAsns = new Set(desired.map(({ asn }) => asn));
  const unwanted = [...applied].filter(
    ([asn, { present }]) => present && !desiredAsns.has(asn) && !deploying.has(asn),
  );

  await Promise.all([
    ...drifted.map((peering) => repair(deps, peering, applied.get(peering.asn)?.generation ?? 0)),
    ...unwanted.map(([asn, { generation }]) => remove(deps, node, asn, generation)),
  ]);
}

async function repair(
  deps: NodeReconcilerDeps,
  desired: DesiredPeering,
  appliedGeneration: number,
): Promise<void> {
  const { asn, node, peering } = desired;
  const generation =
    desired.generation > appliedGeneration
      ? desired.generation
      : await bumpGeneration(deps.db, desired, appliedGeneration);
  if (generation === null) return;
  const { outcome, reason } = await deps.agents.ask(node, "apply", { asn, generation, desired: peering });
  deps.log.info({ node, asn, generation, outcome, reason }, "desired peering sent to repair drift");
}

async function remove(deps: NodeReconcilerDeps, node: string, asn: string, applied: number): Promise<void> {
  const generation = await deps.db.transaction().execute(async (tx) => {
    const next = await takeGeneration(tx, applied);
    const isUnwanted = !(await findDesired(tx, asn, node)) && !(await findUnfinishedOfPeering(tx, asn, node));
    return isUnwanted ? next : null;
  });
  if (generation === null) return;
  const { outcome, reason } = await deps.agents.ask(node, "apply", { asn, generation, desired: null });
  deps.log.info({ node, asn, generation, outcome, reason }, "removal of an unwanted peering sent");
}
