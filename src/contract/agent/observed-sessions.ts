/** The BGP sessions of a peering as an agent observes them. */
import * as v from "valibot";
import { bgpSessionStatus, sessionRoutes } from "../entities.ts";
import { routeCount, shortList, shortText } from "./bounds.ts";

/** More than the sessions of two address families. */
const maxSessions = 4;

const observedSession = v.object({
  ...v.omit(bgpSessionStatus, ["since", "ends"]).entries,
  name: shortText(100),
  families: v.pipe(bgpSessionStatus.entries.families, v.maxLength(2)),
  state: shortText(100),
  detail: shortText(500),
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
