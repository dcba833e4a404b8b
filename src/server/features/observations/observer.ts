/**
 * Observes every node periodically and stores its state, its load, and the state of its peerings.
 *
 * Invariants: among all servers one observes at a time (the lock `observe`), and a server skips its turn when
 * another one has just observed. A node that does not respond is stored as Down. While no server runs, nothing
 * is stored.
 */
import type { Logger } from "pino";
import type { ObservedPeering } from "#contract/agent.ts";
import { NodeUnreachableError } from "../../agents/agent-client.ts";
import { maxReadMs, type NodeReader } from "../../agents/node-reader.ts";
import { splitIntoBatches } from "../../db/batches.ts";
import type { Locks } from "../../db/locks.ts";
import type { Db } from "../../db/open.ts";
import { createJobLoop, type JobLoop } from "../../jobs/job-loop.ts";
import { findSettlingPeerings } from "../peerings/deployment/settling.ts";
import { peeringKey } from "../peerings/peering-key.ts";
import { addToHalfHours, finishHalfHours, toHalfHour } from "./record-half-hours.ts";
import { changedSessionStates, type RecordedPeering, storeSessionStates } from "./record-sessions.ts";
import { storeNodeSummaries } from "./node-summaries.ts";
import { dayMs, quarterRetentionMs, retainedDays, sampleRetentionMs, startOfDay } from "./retention.ts";
import {
  addDayCounts,
  addSamples,
  countByDay,
  findNewestSampleTime,
  type NodeSampleRow,
  toSampleRow,
} from "./store-samples.ts";

export interface ObserverDeps {
  readonly db: Db;
  readonly nodeReader: NodeReader;
  readonly locks: Locks;
  readonly clock: () => number;
  readonly retentionClock: () => number;
  readonly log: Logger;
  readonly everyMs: number;
  /** Receives each observation after it is stored. */
  readonly onObserved: (observation: Observation) => Promise<void>;
}

/** The state of every node at one time. */
export interface Observation {
  readonly at: number;
  readonly nodes: readonly NodeObservation[];
  /** Whether the previous observation is missing or older than 2.5 intervals. */
  readonly afterGap: boolean;
}

export interface NodeObservation {
  readonly node: string;
  /** Null where the node did not respond. */
  readonly peerings: readonly ObservedPeering[] | null;
}

/** Creates the loop that observes now and every `everyMs`. */
export function createObserver(deps: ObserverDeps): JobLoop {
  return createJobLoop({
    pollMs: deps.everyMs,
    run: ({ closing }) => observeNodes(deps, closing),
    onError: (error) => deps.log.error({ err: error }, "observing the nodes failed"),
  });
}

/** Observes once, unless an observation of any server is in progress or recent. */
export async function observeNodes(deps: ObserverDeps, signal: AbortSignal): Promise<void> {
  await deps.locks.tryExclusive("observe", () => observeUnlessRecent(deps, signal));
}

interface ObservedNode extends NodeObservation {
  readonly sample: NodeSampleRow;
}

async function observeUnlessRecent(deps: ObserverDeps, signal: AbortSignal): Promise<void> {
  const { db, nodeReader, clock, retentionClock, everyMs } = deps;
  const at = clock();
  const newestAt = await findNewestSampleTime(db, at + everyMs / 2);
  const age = newestAt === null ? Infinity : at - newestAt;
  // The age is negative when another server's clock is slightly ahead.
  if (Math.abs(age) < everyMs / 2) return;
  const observed = await Promise.all(
    nodeReader.nodes.map((node) => observeNode(nodeReader, node, at, signal)),
  );
  if (signal.aborted) return;
  const recorded = await readRecorded(db);
  const settling = await findSettlingPeerings(db, null, at);
  const keys = new Set(recorded.map(peeringKey));
  const nodes = observed.map((each) => withoutUnrecorded(each, keys));
  const samples = nodes.map(({ sample }) => sample);
  const traffic = nodes.flatMap(({ node, peerings }) =>
    (peerings ?? []).map((each) => toTraffic(node, each, at)),
  );
  const halfHours = nodes.flatMap(({ node, peerings }) =>
    (peerings ?? []).map((each) => toHalfHour(node, each, at, settling.isAwaited(each.asn, node))),
  );
  const retentionTime = retentionClock();
  const observedOf = new Map(
    nodes.flatMap(({ node, peerings }) =>
      (peerings ?? []).map((each) => [peeringKey({ node, asn: each.asn }), each] as const),
    ),
  );
  const sessions = recorded.flatMap((peering) =>
    changedSessionStates(peering, observedOf.get(peeringKey(peering)), { at, retentionTime }),
  );
  await finishHalfHours(db, { now: at, retentionTime });
  await db.transaction().execute(async (tx) => {
    await addSamples(tx, samples);
    await addDayCounts(
      tx,
      samples.flatMap((sample) => countByDay(sample.node, [sample])),
    );
    for (const rows of splitIntoBatches(traffic)) {
      await tx.insertInto("traffic_samples").values(rows).execute();
    }
    await addToHalfHours(tx, halfHours);
    await storeSessionStates(tx, sessions);
    await storeNodeSummaries(tx, at);
    await deleteExpired(tx, retentionTime);
  });
  await deps.onObserved({ at, nodes, afterGap: age > 2.5 * everyMs });
}

/** All peerings, those that are being deleted included. */
function readRecorded(db: Db): Promise<readonly RecordedPeering[]> {
  return db
    .selectFrom("peerings")
    .leftJoin("session_states as states", (join) =>
      join.onRef("states.asn", "=", "peerings.asn").onRef("states.node", "=", "peerings.node"),
    )
    .select(["peerings.asn", "peerings.node", "states.sessions"])
    .execute();
}

/** A hostile agent reports peerings that do not exist: nothing is stored about them. */
function withoutUnrecorded(observed: ObservedNode, recorded: ReadonlySet<string>): ObservedNode {
  const { node, peerings } = observed;
  return {
    ...observed,
    peerings: peerings?.filter(({ asn }) => recorded.has(peeringKey({ node, asn }))) ?? null,
  };
}

async function observeNode(
  nodeReader: NodeReader,
  node: string,
  at: number,
  signal: AbortSignal,
): Promise<ObservedNode> {
  const options = { timeoutMs: maxReadMs, signal };
  try {
    const [{ status: state }, usage, peerings] = await Promise.all([
      nodeReader.read(node, "health", options),
      nodeReader.read(node, "usage", options),
      nodeReader.read(node, "observe", options),
    ]);
    // A faulty agent may list an AS twice.
    const byAsn = new Map(peerings.map((each) => [each.asn, each]));
    return { node, peerings: [...byAsn.values()], sample: toSampleRow(node, at, state, usage) };
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    return { node, peerings: null, sample: toSampleRow(node, at, "Down", null) };
  }
}

function toTraffic(node: string, { asn, tunnel }: ObservedPeering, at: number) {
  return { node, asn, at, received: tunnel.rxBytes, sent: tunnel.txBytes };
}

async function deleteExpired(tx: Db, now: number): Promise<void> {
  await tx
    .deleteFrom("node_samples")
    .where("at", "<", now - sampleRetentionMs)
    .execute();
  await tx
    .deleteFrom("traffic_samples")
    .where("at", "<", now - sampleRetentionMs)
    .execute();
  await tx
    .deleteFrom("node_quarters")
    .where("quarter", "<", now - quarterRetentionMs)
    .execute();
  await tx
    .deleteFrom("node_summaries")
    .where("last_at", "<", now - quarterRetentionMs)
    .execute();
  await tx
    .deleteFrom("node_days")
    .where("day", "<", startOfDay(now) - retainedDays * dayMs)
    .execute();
}
