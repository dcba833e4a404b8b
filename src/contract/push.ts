import * as v from "valibot";
import { taskKind, username } from "./entities.ts";

/** The sessions of a peering went down, came back, or are flapping (`unsteady`): alerts pause until they are stable. */
export const sessionChange = v.picklist(["down", "up", "unsteady"]);
export type SessionChange = v.InferOutput<typeof sessionChange>;

/**
 * A message through a browser's push service, encrypted for one subscription.
 *
 * `username` is the AS that it is for. A device where another AS has logged in since shows nothing.
 */
export const pushMessage = v.variant("type", [
  v.object({
    type: v.literal("deployment"),
    username,
    taskID: v.string(),
    node: v.string(),
    kind: taskKind,
    status: v.picklist(["success", "failed", "error"]),
  }),
  v.object({
    type: v.literal("session"),
    username,
    node: v.string(),
    change: sessionChange,
    /** When the server first observed it, in milliseconds since 1970 by the server's clock. */
    at: v.number(),
  }),
  /** The node has another public key, which the participant has to enter. */
  v.object({ type: v.literal("nodeKey"), username, node: v.string() }),
  /** The node has another address, which the participant has to enter. */
  v.object({ type: v.literal("nodeAddress"), username, node: v.string() }),
  /** The node gets another public key, to which the participant can switch. */
  v.object({ type: v.literal("nodeRekey"), username, node: v.string() }),
  /** The node keeps its public key after all. */
  v.object({ type: v.literal("nodeRekeyCancelled"), username, node: v.string() }),
  /** The tunnel has the node's old public key again, because no handshake came after the switch. */
  v.object({ type: v.literal("nodeKeyReturned"), username, node: v.string() }),
  /** The node is out of service, and the operator has removed the peering on it. */
  v.object({ type: v.literal("nodeForgotten"), username, node: v.string() }),
]);
export type PushMessage = v.InferOutput<typeof pushMessage>;

/** Null for a message that only another version of the server sends. */
export function parsePushMessage(json: unknown): PushMessage | null {
  const parsed = v.safeParse(pushMessage, json);
  return parsed.success ? parsed.output : null;
}

/** How this login session is notified while no page is open. */
export const pushSettings = v.object({
  /** The server's key (VAPID, uncompressed P-256 point, base64url), for `PushManager.subscribe`. */
  publicKey: v.string(),
  /** The subscription of this login session; null: none. */
  subscription: v.nullable(
    v.object({
      endpoint: v.string(),
      /** Whether BGP sessions that go down and come back are reported too. */
      alerts: v.boolean(),
    }),
  ),
});
export type PushSettings = v.InferOutput<typeof pushSettings>;

/** A browser's subscription: the values of `PushSubscription.toJSON`, flattened. */
export const pushSubscription = v.object({
  username,
  endpoint: v.pipe(v.string(), v.maxLength(1000)),
  /** The browser's key, base64url. */
  p256dh: v.pipe(v.string(), v.maxLength(200)),
  /** The browser's secret, base64url. */
  auth: v.pipe(v.string(), v.maxLength(100)),
  alerts: v.boolean(),
});
