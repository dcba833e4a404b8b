/** Messages between pages and the service worker, which may be of different builds: their strings never change. */
import type { PushMessage } from "../push.ts";

export type MessageToWorker =
  /** The person accepted the new version: take over now. */
  | { readonly type: "activate" }
  /** The page observed it. The worker notifies once, whether the page or the push service reports it first. */
  | {
      readonly type: "notify";
      readonly message: PushMessage;
      /** The screen that a click opens: path and search. */
      readonly path: string;
    };

export type MessageToPage =
  /** A notification was clicked: navigate to the path. */
  | { readonly type: "open"; readonly path: string }
  /** A liveness probe: reply with `LivenessReply` on the transferred port. A version that does not start cannot. */
  | { readonly type: "liveness-probe" };

export interface LivenessReply {
  readonly alive: true;
}

/**
 * Header of a response from the worker's cache: when it was fetched, in milliseconds since 1970 by the device's clock.
 */
export const fetchedAtHeader = "peerdeck-fetched-at";
