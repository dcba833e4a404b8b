/**
 * Compares the applied generations of nodes with the desired ones, repairs drift, and collects the events of the agents:
 * at start, every minute, and when a node becomes reachable again.
 *
 * Invariants: among all servers at most one reconciles a node at a time (the lock `reconcile <node>`). Peerings with an
 * unfinished task belong to the deployer. A peering is removed only if the database has deployed it, and its last task is
 * its deletion or its failed first deployment. The generation that removes it is taken in the transaction that finds no
 * row of it. While a node has conflicts with the database, nothing there is changed or removed, and its events are not
 * collected, since the database may not know their peerings yet.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { ApplyOutcome } from "#contract/agent.ts";
import { nodeHost } from "#contract/node-host.ts";
import { describeToOperator } from "#domain/findings/findings.ts";
import { type AuditEvent, noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Locks } from "#server/db/locks.ts";
import type { Db } from "#server/db/open.ts";
import { lockNode } from "#server/db/peering-locks.ts";
import type { Sealer } from "#server/db/secrets/sealer.ts";
import { type AgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";
import type { Profile } from "#server/config/profile.ts";
import { findNode } from "#server/nodes/node-rows.ts";
import { type DesiredVersion, findDesired } from "../desired-peerings.ts";
import { assessNode } from "./assess-node.ts";
import type { AppliedVersion } from "../conflicts/find-conflict.ts";
import {
  listConflictsOnNode,
  summarizeConflicts,
  type PeeringConflict,
  putConflicts,
} from "../conflicts/peering-conflicts.ts";
import { takeRemovalGeneration } from "./removal-generation.ts";
import { toAgentPeering } from "../preshared-keys.ts";
import { sendApply } from "./send-apply.ts";

export interface NodeReconcilerDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "domain">;
  readonly agents: AgentClient;
  readonly sealer: Sealer;
  readonly locks: Locks;
  readonly log: Logger;
  readonly clock: () => number;
  readonly everyMs: number;
  /** Stores the public key of a node, and notifies its participants of another one. */
  readonly followKey: (agents: AgentClient, node: string) => Promise<void>;
  /** Collects the events of a node's agent. */
  readonly collectEvents: (agents: AgentClient, node: string) => Promise<void>;
}

export interface NodeReconciler extends AsyncDisposable {
  start(): void;
}

/** The lock of the server that compares a node with the database. */
export const reconcileLock = (node: string) => `reconcile ${node}`;

const maxNextNodeMs = 100;

export function createNodeReconciler(deps: NodeReconcilerDeps): NodeReconciler {
  const inProgress = new Map<string, Promise<void>>();
  const reported: ReportedConflicts = new Map();
  const closing = new AbortController();
  const { signal } = closing;
  const stoppable = { ...deps, agents: abortable(deps.agents, signal) };
  let timer: NodeJS.Timeout | undefined;
  /** One node after the other: comparing all of them in one moment would make requests wait. */
  async function beginEverywhere(): Promise<void> {
    const nodes = deps.agents.listNodes();
    const nextNodeMs = Math.min(maxNextNodeMs, deps.everyMs / 2 / nodes.length);
    for (const node of nodes) {
      begin(node);
      await pause(nextNodeMs, undefined, { signal }).catch(() => undefined);
    }
  }

  function begin(node: string): void {
    if (signal.aborted || inProgress.has(node)) return;
    const work = deps.locks
      .tryExclusive(reconcileLock(node), () => reconcileNode(stoppable, node, reported))
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
      deps.agents.onReachable(begin);
      timer = setInterval(() => void beginEverywhere(), deps.everyMs);
      void beginEverywhere();
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

const maxLoggedAsns = 100;

/** The last logged description of each node's conflicts. */
type ReportedConflicts = Map<string, string>;

async function reconcileNode(
  deps: NodeReconcilerDeps,
  node: string,
  reported: ReportedConflicts,
): Promise<void> {
  await deps.followKey(deps.agents, node);
  const assessment = await assessNode(deps, node);
  const { applied, desired, deploying, replaceable, unwanted } = assessment;
  if (assessment.conflicts.length > 0) {
    const excess = await deps.db.transaction().execute(async (tx) => {
      await lockNode(tx, node);
      const isRemoved = (await findNode(tx, node)) === null;
      return isRemoved ? 0 : putConflicts(tx, node, assessment.conflicts, deps.clock());
    });
    deps.agents.ignored.note(node, "conflicts beyond the most that are stored", excess);
  }
  const conflicts = await listConflictsOnNode(deps.db, node);
  reportConflicts(deps, node, conflicts, reported);
  const isHeld = conflicts.length > 0;

  const drifted = desired.filter(({ asn, generation, present }) => {
    const found = applied.get(asn);
    if (!present || deploying.has(asn) || !found) return present && !deploying.has(asn);
    const mayReplace = !isHeld && (replaceable.has(asn) || !found.present);
    return mayReplace && found.generation < generation;
  });

  await Promise.all([
    ...drifted.map((version) => repair(deps, node, version, applied.get(version.asn))),
    ...(isHeld ? [] : unwanted.map((peering) => remove(deps, node, peering))),
  ]);
  if (!isHeld) await deps.collectEvents(deps.agents, node);
}

/** Logs the conflicts of a node when the server starts and when their number changes. */
function reportConflicts(
  { profile, log }: NodeReconcilerDeps,
  node: string,
  conflicts: readonly PeeringConflict[],
  reported: ReportedConflicts,
): void {
  const finding = summarizeConflicts(conflicts, nodeHost(node, profile.domain));
  const described = finding ? describeToOperator(finding) : "";
  if (described === (reported.get(node) ?? "")) return;
  reported.set(node, described);
  const asns = conflicts.slice(0, maxLoggedAsns).map(({ asn }) => asn);
  if (described !== "") log.error({ node, asns }, described);
}

async function repair(
  deps: NodeReconcilerDeps,
  node: string,
  { asn, generation }: DesiredVersion,
  applied: AppliedVersion | undefined,
): Promise<void> {
  const desired = await findDesired(deps.db, asn, node);
  // It was submitted again, and belongs to the deployer.
  if (desired?.generation !== generation) return;
  // The pre-shared key is on the node only, and another deployment would remove it.
  if (desired.request.presharedKey === "unknown") return;
  const request = {
    asn,
    generation,
    desired: toAgentPeering(deps.sealer, desired),
    knownGenerations: applied ? [applied.generation] : [],
  };
  const outcome = await sendApply(deps, node, request);
  deps.log.info(
    { node, asn, generation, ...outcome },
    "the node decided about a desired peering that it did not run",
  );
  await recordApplied(deps, outcome, { kind: "peering-repaired", asn, node });
}

async function remove(
  deps: NodeReconcilerDeps,
  node: string,
  unwanted: { readonly asn: string; readonly generation: number },
): Promise<void> {
  const { asn, generation: applied } = unwanted;
  const generation = await takeRemovalGeneration(deps.db, node, unwanted);
  if (generation === null) return;
  const request = { asn, generation, desired: null, knownGenerations: [applied] };
  const outcome = await sendApply(deps, node, request);
  deps.log.info(
    { node, asn, generation, ...outcome },
    "the node decided about the removal of an unwanted peering",
  );
  await recordApplied(deps, outcome, { kind: "unwanted-peering-removed", asn, node });
}

/**
 * Records what the reconciler changed on a node. What the node refused is in the log only. A node that had already
 * applied the peering was compared while the deployment ended.
 */
async function recordApplied(
  { db, clock }: NodeReconcilerDeps,
  { outcome, steps }: ApplyOutcome,
  event: AuditEvent,
): Promise<void> {
  const hasChanged = steps.every(({ code }) => code !== "no-changes");
  if (outcome === "applied" && hasChanged) await recordEvent(db, event, noOrigin, clock());
}
