/**
 * Alerts subscribed participants when the sessions of a peering go down or come back.
 *
 * Invariants: an alert state and its messages are written in one transaction, so that a server that crashes neither
 * repeats nor loses a message. States are written by compare-and-swap, so that only one of two servers that observe at the same time sends. States are stored only for ASes that subscribe to alerts.
 */
import type { Logger } from "pino";
import type { ObservedPeering } from "#contract/agent.ts";
import { peeringHealth } from "#domain/findings/peering-health.ts";
import { presentObserved } from "../../agents/peer-status.ts";
import { findSettlingPeerings } from "../peerings/deployment/settling.ts";
import { createSlices } from "../../db/bulk/slices.ts";
import type { Db } from "../../db/open.ts";
import { enqueueMessage } from "../../push/messages.ts";
import { clearLatest, type ObservedStatus, advanceAlertState, parseAlertState } from "./session-alerts.ts";
import {
  deleteStatesExcept,
  findAlertSubscribers,
  findSubscribedPeerings,
  replaceState,
  type SubscribedPeering,
} from "./subscribed-peerings.ts";

export interface AlertDeps {
  readonly db: Db;
  readonly retentionClock: () => number;
  readonly log: Logger;
  /** Called after new push messages are committed. */
  readonly onEnqueued: () => void;
}

/** The state of every node at one time, as the observer stores it. */
export interface AlertObservation {
  readonly at: number;
  /** `peerings` is null where the node did not respond. */
  readonly nodes: ReadonlyArray<{
    readonly node: string;
    readonly peerings: readonly ObservedPeering[] | null;
  }>;
  /** Whether the observation before is missing or too old to be compared. */
  readonly afterGap: boolean;
}

/** If a node has more peerings than this and none is up, the node is the likely cause. */
const maxDownTogether = 2;

/** Compares an observation with the stored states and enqueues the alerts. */
export async function sendAlerts(deps: AlertDeps, observation: AlertObservation): Promise<void> {
  const { db, retentionClock, log, onEnqueued } = deps;
  const { at, nodes } = observation;
  const asns = await findAlertSubscribers(db, at);
  await deleteStatesExcept(db, await findAlertSubscribers(db, retentionClock()));
  if (asns.length === 0) return;
  const readStatus = createStatusReader(nodes);
  const settling = await findSettlingPeerings(db, asns, at);
  const slices = createSlices();
  for (const subscribed of await findSubscribedPeerings(db, asns)) {
    const { asn, node } = subscribed;
    await slices.yieldWhenLong();
    const status = settling.has(asn, node) ? null : readStatus(asn, node);
    try {
      if (await updateState(db, subscribed, status, observation)) onEnqueued();
    } catch (error) {
      log.error({ err: error, asn, node }, "updating an alert state failed");
    }
  }
}

/**
 * Returns a function that returns the status of a peering. Null without a result: the node was not read, did not respond, or
 * has more than `maxDownTogether` peerings and none is up.
 */
function createStatusReader(nodes: AlertObservation["nodes"]) {
  const peeringsOf = new Map(nodes.map(({ node, peerings }) => [node, peerings]));
  /** By node, because subscribers of one node share the answer: whether any of its peerings is up. */
  const anyUp = new Map<string, boolean>();
  return (asn: string, node: string): ObservedStatus | null => {
    const peerings = peeringsOf.get(node);
    if (!peerings) return null;
    const isUp = (observed: ObservedPeering) =>
      peeringHealth(presentObserved(node, observed, null)) !== "Down";
    if (peerings.some((observed) => observed.asn === asn && isUp(observed))) return "up";
    const hasUp = anyUp.get(node) ?? peerings.some(isUp);
    anyUp.set(node, hasUp);
    return hasUp || peerings.length <= maxDownTogether ? "down" : null;
  };
}

/** Returns whether an alert was enqueued. */
async function updateState(
  db: Db,
  { asn, node, state }: SubscribedPeering,
  status: ObservedStatus | null,
  { at, afterGap }: AlertObservation,
): Promise<boolean> {
  const stored = parseAlertState(state);
  const { state: next, alert } = advanceAlertState(afterGap ? clearLatest(stored) : stored, status, at);
  if (next === stored) return false;
  return db.transaction().execute(async (tx) => {
    if (!(await replaceState(tx, { asn, node, state }, JSON.stringify(next)))) return false;
    if (alert) await enqueueMessage(tx, { type: "session", username: asn, node, ...alert }, at);
    return alert !== null;
  });
}
