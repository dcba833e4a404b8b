/**
 * Observes every node periodically and stores its state, its load, and the state of its peerings.
 *
 * Invariants: among all servers one observes at a time (the lock `observe`), and a server skips its turn when
 * another one has just observed. A node that does not respond is stored as Down. While no server runs, nothing
 * is stored. Each peering is stored in one transaction, and the nodes in the last one. No step takes long: nodes are read one
 * after the other, and peerings are validated and stored in slices, so that requests are served in between.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { dayMs, halfHourMs, shownDays } from "#contract/history.ts";
import { type AgentClient, NodeUnreachableError } from "../../agents/agent-client.ts";
import { maxReadMs, type NodeReader } from "../../agents/node-reader.ts";
import type { Locks } from "../../db/locks.ts";
import type { Db } from "../../db/open.ts";
import { createJobLoop, type JobLoop } from "../../jobs/job-loop.ts";
import { deleteExpiredHalfHours, moveFinishedHalfHours } from "./record-half-hours.ts";
import {
  type NodeObservation,
  type NodeResponse,
  type ObservationTimes,
  recordPeerings,
} from "./record-peerings.ts";
import { storeNodeSummaries } from "./node-summaries.ts";
import { quarterRetentionMs, sampleRetentionMs, startOfBucket, startOfDay } from "./retention.ts";
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
  readonly agents: Pick<AgentClient, "ignored">;
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

/** The nodes are not read in the same moment: parsing a large response takes some milliseconds. */
const nextNodeMs = 10;
/** Within so many minutes the half hours that were put aside are moved. */
const minutesOfMoving = 20;

interface ObservedNode extends NodeResponse {
  readonly sample: NodeSampleRow;
}

async function observeUnlessRecent(deps: ObserverDeps, signal: AbortSignal): Promise<void> {
  const { db, nodeReader, clock, everyMs } = deps;
  const at = clock();
  const newestAt = await findNewestSampleTime(db, at + everyMs / 2);
  const age = newestAt === null ? Infinity : at - newestAt;
  // The age is negative when another server's clock is slightly ahead.
  if (Math.abs(age) < everyMs / 2) return;
  const observed = await Promise.all(
    nodeReader.listNodes().map(async (node, index) => {
      await pause(index * nextNodeMs);
      const response = await observeNode(nodeReader, node, at, signal);
      const ignored = await response.peerings?.countIgnored();
      if (ignored !== undefined) deps.agents.ignored.note(node, "invalid items of /v1/observe", ignored);
      return response;
    }),
  );
  if (signal.aborted) return;
  const times = { at, retentionTime: deps.retentionClock() };
  const isFirstOfHalfHour = startOfBucket(newestAt ?? 0, halfHourMs) !== startOfBucket(at, halfHourMs);
  if (isFirstOfHalfHour) {
    await moveFinishedHalfHours(db, { limit: Infinity, ...times });
    await deleteExpiredHalfHours(db, times.retentionTime);
  }
  const { count, nodes } = await recordPeerings(db, observed, times);
  await storeNodes(
    db,
    observed.map(({ sample }) => sample),
    times,
  );
  if (!isFirstOfHalfHour) {
    const limit = Math.ceil(count / minutesOfMoving);
    await moveFinishedHalfHours(db, { limit, ...times });
  }
  await deps.onObserved({ at, nodes, afterGap: age > 2.5 * everyMs });
}

async function storeNodes(
  db: Db,
  samples: readonly NodeSampleRow[],
  { at, retentionTime }: ObservationTimes,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await addSamples(tx, samples);
    await addDayCounts(
      tx,
      samples.flatMap((sample) => countByDay(sample.node, [sample])),
    );
    await storeNodeSummaries(tx, at);
    await deleteExpired(tx, retentionTime);
  });
}

async function observeNode(
  nodeReader: NodeReader,
  node: string,
  at: number,
  signal: AbortSignal,
): Promise<ObservedNode> {
  const options = { timeoutMs: maxReadMs, signal };
  try {
    // One after the other, so that they need one connection: each is 100 kB of memory between observations.
    const { status: state } = await nodeReader.read(node, "health", options);
    const usage = await nodeReader.read(node, "usage", options);
    const peerings = await nodeReader.read(node, "observe", options);
    return { node, peerings, sample: toSampleRow(node, at, state, usage) };
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    return { node, peerings: null, sample: toSampleRow(node, at, "Down", null) };
  }
}

async function deleteExpired(tx: Db, now: number): Promise<void> {
  await tx
    .deleteFrom("node_samples")
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
    .where("day", "<", startOfDay(now) - shownDays * dayMs)
    .execute();
}
