import * as v from "valibot";
import { peerStatus, task, username } from "./entities.ts";

/**
 * The stream of server-sent events of the logged-in AS: GET, 401 without a login session, 429 with too many open
 * streams. It ends with the login session. Events are hints: a client that missed some reads again.
 */
export const livePath = "/api/events";

/** The events by name. The data of each is JSON of this shape. */
export const liveEvents = {
  /** The first event of every stream, with the AS that it belongs to. */
  hello: v.object({ username }),
  /** A deployment of this AS advanced or ended. */
  task,
  /**
   * The status of the peering on a node changed. `status` is absent when the peering was deleted. A client without a
   * status that it can parse refetches.
   */
  peering: v.object({ node: v.string(), status: v.fallback(v.optional(peerStatus), undefined) }),
} as const;

export type LiveEventName = keyof typeof liveEvents;
export type LiveEvent<N extends LiveEventName> = v.InferOutput<(typeof liveEvents)[N]>;
