/**
 * Tells participants who want it that the sessions of a peering went down or came back.
 *
 * Invariants: what was told and the messages that tell it are written in one transaction, so that a server
 * that dies neither repeats nor loses one; and a state is written only over the one that it follows from, so
 * that of two servers that look at once one tells. States are kept for those alone who want alerts.
 */
import type { Logger } from "pino";
import * as v from "valibot";
import type { ObservedPeering } from "../../../contract/agent.ts";
import { peeringHealth } from "../../../domain/health.ts";
import type { Db } from "../../db/open.ts";
import { presentObserved } from "../nodes/peer-status.ts";
import type { Turn } from "../observations/observer.ts";
import { enqueueMessage } from "../push/messages.ts";
import {
  type FollowedPeering,
  followedPeerings,
  forgetOthers,
  putState,
  unsettledPeerings,
  whoWantsAlerts,
} from "./followed-peerings.ts";
import {
  type AlertState,
  alertState,
  forgetLatest,
  nothingSeen,
  observeSession,
  type Seen,
} from "./session-alerts.ts";

export interface AlertDeps {
  readonly db: Db;
  readonly log: Logger;
  /** There are new push messages. */
  readonly onTold: () => void;
}

/** That more participants than these fail at the same time is less likely than that their node does. */
const mostAtOnce = 2;

/** Compares what was found with what was told before. */
export async function tellAlerts(deps: AlertDeps, turn: Turn): Promise<void> {
  const { db, log, onTold } = deps;
  const { at, looks } = turn;
  const asns = await whoWantsAlerts(db, at);
  await forgetOthers(db, asns);
  if (asns.length === 0) return;
  const found = new Map(looks.map(({ node, peerings }) => [node, peerings]));
  const unsettled = await unsettledPeerings(db, asns, at);
  for (const followed of await followedPeerings(db, asns)) {
    const { asn, node } = followed;
    const seen = unsettled.has(`${asn} ${node}`) ? null : seenOf(found.get(node) ?? null, asn, node);
    try {
      if (await follow(db, followed, seen, turn)) onTold();
    } catch (error) {
      log.error({ err: error, asn, node }, "a session's change could not be told");
    }
  }
}

/** Null where it cannot be told: the node was not asked, did not answer, or has no session up at all. */
function seenOf(peerings: readonly ObservedPeering[] | null, asn: string, node: string): Seen | null {
  if (!peerings) return null;
  const up = peerings.filter((observed) => peeringHealth(presentObserved(node, observed, null)) !== "Down");
  if (up.length === 0 && peerings.length > mostAtOnce) return null;
  return up.some((observed) => observed.asn === asn) ? "up" : "down";
}

/** Whether something is told. */
async function follow(
  db: Db,
  { asn, node, state }: FollowedPeering,
  seen: Seen | null,
  { at, afterAbsence }: Turn,
): Promise<boolean> {
  const kept = stateOf(state);
  const { state: after, tell } = observeSession(afterAbsence ? forgetLatest(kept) : kept, seen, at);
  if (after === kept) return false;
  return db.transaction().execute(async (tx) => {
    if (!(await putState(tx, { asn, node, state }, JSON.stringify(after)))) return false;
    if (tell) await enqueueMessage(tx, { type: "session", username: asn, node, ...tell }, at);
    return tell !== null;
  });
}

/** What another version of the server has kept, and nobody can read, is as nothing. */
function stateOf(kept: string | null): AlertState {
  const parsed = v.safeParse(alertState, JSON.parse(kept ?? "null"));
  return parsed.success ? parsed.output : nothingSeen;
}
