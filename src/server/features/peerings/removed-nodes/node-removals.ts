/**
 * Takes the peerings down that the database had deployed to removed nodes.
 *
 * Invariants:
 * - Among all servers one does it at a time for a node, and none reconciles the node meanwhile (the lock `reconcile <node>`).
 * - A version that this database has not deployed stays as it is, as everywhere (`find-conflict.ts`).
 * - Each removal takes a generation above those of the node, in the transaction that finds the removal still pending: peerings of a
 *   node that has joined again have later generations, which an old removal does not supersede.
 */
import { createAgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";
import { openNodeTransport, type OpenTransport } from "#server/agents/node-transports.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { AppContext } from "#server/context.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import type { Db } from "#server/db/open.ts";
import { readMaxGeneration } from "#server/db/generation.ts";
import { createJobLoop, type JobLoop } from "#server/jobs/job-loop.ts";
import { findConflict } from "../conflicts/find-conflict.ts";
import { readTaskEvidence } from "../conflicts/task-evidence.ts";
import { takeRemovalGeneration } from "../deployment/removal-generation.ts";
import { sendApply } from "../deployment/send-apply.ts";
import type { StoredPeering } from "../recovery/plan-recovery.ts";
import { endRemoval, isPending, listPendingRemovals, type PendingRemoval } from "./pending-removals.ts";

export interface NodeRemovalsDeps extends Pick<AppContext, "db" | "locks" | "log" | "clock"> {
  readonly openTransport: OpenTransport;
  /** The protocol that the server speaks with agents, where it differs from `agentProtocol`; for tests. */
  readonly protocol?: number | undefined;
}

/** Another process removes nodes. */
const pollMs = 1_000;
const firstPauseMs = 1_000;
/** Of the peerings that are left as they run. A hostile agent invents more. */
const maxNamed = 100;
const maxPauseMs = 5 * 60_000;

interface Attempt {
  readonly pauseMs: number;
  readonly notBefore: number;
}

/** Creates the loop that takes peerings down, and tries again for as long as a node does not respond. */
export function createNodeRemovals(deps: NodeRemovalsDeps): JobLoop {
  /** By removal. Monotonic times. */
  const failed = new Map<string, Attempt>();
  const inProgress = new Map<string, Promise<void>>();
  const closing = new AbortController();

  async function attempt(removal: PendingRemoval): Promise<void> {
    const { id, node } = removal;
    try {
      await deps.locks.tryExclusive(`reconcile ${node}`, () => takeDown(deps, removal, closing.signal));
      failed.delete(id);
    } catch (error) {
      if (closing.signal.aborted) return;
      const earlier = failed.get(id);
      if (!earlier || !(error instanceof NodeUnreachableError))
        deps.log.warn({ err: error, node }, "the peerings of a removed node cannot be taken down yet");
      const pauseMs = Math.min(maxPauseMs, 2 * (earlier?.pauseMs ?? firstPauseMs / 2));
      failed.set(id, { pauseMs, notBefore: performance.now() + pauseMs });
    }
  }

  const loop = createJobLoop({
    pollMs,
    run: async () => {
      for (const removal of await listPendingRemovals(deps.db)) {
        const { id } = removal;
        if (inProgress.has(id) || performance.now() < (failed.get(id)?.notBefore ?? 0)) continue;
        inProgress.set(
          id,
          attempt(removal).finally(() => inProgress.delete(id)),
        );
      }
    },
    onError: (error) => deps.log.error({ err: error }, "the removed nodes could not be read"),
  });
  return {
    ...loop,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await loop[Symbol.asyncDispose]();
      await Promise.all(inProgress.values());
    },
  };
}

async function takeDown(
  { db, log, clock, openTransport, protocol }: NodeRemovalsDeps,
  removal: PendingRemoval,
  signal: AbortSignal,
): Promise<void> {
  const { id, node, agent } = removal;
  await using transports = openNodeTransport({ name: node, agent }, openTransport);
  const agents = createAgentClient(transports, null, protocol);
  const listed = await agents.ask(node, "peerings", undefined, { signal });
  const { down, left } = await compare(db, listed, removal);
  const outcomes = await Promise.all(
    down.map(async ({ asn, generation: applied, isApplied }) => {
      const version = { asn, generation: applied };
      const generation = await takeRemovalGeneration(db, node, version, (tx) => isPending(tx, id));
      if (generation === null) return null;
      const knownGenerations = isApplied ? [applied] : [];
      const request = { asn, generation, desired: null, knownGenerations };
      return sendApply({ db, agents }, node, request, { signal });
    }),
  );
  const open = outcomes.filter((outcome) => outcome !== null && outcome.outcome !== "applied");
  if (open.length > 0) throw new Error(`${node} has not taken ${open.length} peerings down`);
  const hasEnded = await db.transaction().execute(async (tx) => {
    // The node may have joined again.
    if (!(await endRemoval(tx, id))) return false;
    const detail = `Removed there: ${down.length}. ${describeLeft(left)}`;
    await recordEvent(tx, { kind: "node-cleared", asn: null, node, detail }, noOrigin, clock());
    return true;
  });
  if (hasEnded)
    log.info({ node, removed: down.length, left }, "the peerings of a removed node are taken down");
}

function describeLeft(left: readonly string[]): string {
  if (left.length === 0) return "Nothing else runs there.";
  const names = left.slice(0, maxNamed).map((asn) => `AS${asn}`);
  const more = left.length > maxNamed ? ", …" : "";
  return `Left as they run, because this database had not deployed them: ${names.join(", ")}${more}.`;
}

interface Comparison {
  /** What is to be removed, with the generation on the node, or that of the database where the node does not run it. */
  readonly down: ReadonlyArray<{
    readonly asn: string;
    readonly generation: number;
    readonly isApplied: boolean;
  }>;
  /** The AS numbers of further peerings that the node runs. */
  readonly left: readonly string[];
}

/** Compares what the node runs with what the database had deployed to it. */
async function compare(
  db: Db,
  listed: readonly StoredPeering[],
  { node, peerings }: PendingRemoval,
): Promise<Comparison> {
  const maxGeneration = await readMaxGeneration(db);
  const versions = listed
    .filter(({ generation }) => generation <= maxGeneration)
    .map((version) => Object.assign({}, version, { present: version.peering !== null }));
  const running = versions.filter(({ present }) => present);
  const known = new Map(peerings.map(({ asn, generation }) => [asn, generation]));
  const { isFromTask, requiresRow } = await readTaskEvidence(
    db,
    node,
    running.map(({ asn }) => asn),
  );
  const identity = await readDatabaseIdentity(db);
  const isDeployed = (version: (typeof running)[number]) => {
    const generation = known.get(version.asn);
    const desired = generation === undefined ? undefined : { generation, present: true };
    const isUnwanted = desired !== undefined || !requiresRow(version.asn);
    return (
      findConflict(version, desired, { identity, isFromTask: isUnwanted && isFromTask(version) }) === null
    );
  };
  const down = running
    .filter(isDeployed)
    .map(({ asn, generation }) => ({ asn, generation, isApplied: true }));
  // A call from before the removal may still be on its way to the node.
  const missing = peerings
    .filter(
      ({ asn, generation }) =>
        !versions.some((one) => one.asn === asn && (one.present || one.generation > generation)),
    )
    .map(({ asn, generation }) => ({ asn, generation, isApplied: false }));
  const left = running.filter((version) => !isDeployed(version)).map(({ asn }) => asn);
  return { down: [...down, ...missing], left };
}
