import * as v from "valibot";
import { task, username } from "./entities.ts";

/**
 * The stream of server-sent events of the signed-in AS: GET, 401 without a session, 429 with too many streams
 * open. It ends when the session does. Events are hints: whoever missed some asks as if there were none.
 */
export const livePath = "/api/events";

/** Events by name; each one's data is JSON of this shape. */
export const liveEvents = {
  /** The first of every stream: whose it is. */
  hello: v.object({ username }),
  /** A deployment of this AS went on or ended. */
  task,
  /** The state of the peering on a node changed. */
  peering: v.object({ node: v.string() }),
} as const;

export type LiveEventName = keyof typeof liveEvents;
export type LiveEvent<N extends LiveEventName> = v.InferOutput<(typeof liveEvents)[N]>;
