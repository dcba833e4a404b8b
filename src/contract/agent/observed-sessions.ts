/** The BGP sessions of a peering as an agent observes them. */
import * as v from "valibot";
import { bgpSessionStatus, sessionRoutes } from "../entities.ts";
import { routeCount, seconds, shortList, shortText } from "./bounds.ts";

/** More than the sessions of two address families. */
const maxSessions = 4;
/** How many changes of a session an agent reports at most: more are one fault. */
export const maxReportedChanges = 50;

const observedSession = v.object({
  ...v.omit(bgpSessionStatus, ["since", "ends"]).entries,
  name: shortText(100),
  families: v.pipe(bgpSessionStatus.entries.families, v.maxLength(2)),
  state: shortText(100),
  detail: shortText(500),
  /** Since when it is Established, or not; absent if that began before the agent. */
  stateAgeSeconds: v.optional(seconds),
  /**
   * When it became Established or ended in the last 24 hours, the newest first: it led to the present state, the one before
   * to the other one, and so on. Absent without a change.
   */
  changeAgesSeconds: v.optional(shortList(seconds, maxReportedChanges)),
  routes: v.nullable(
    shortList(
      v.object({
        family: sessionRoutes.entries.family,
        received: routeCount,
        accepted: routeCount,
        refused: routeCount,
        exported: v.nullable(routeCount),
      }),
      2,
    ),
  ),
});

export const observedSessions = shortList(observedSession, maxSessions);
