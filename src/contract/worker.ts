/** What pages and the service worker say to each other. */
import type { PushMessage } from "./push.ts";

export type ToWorker =
  /** The person agreed to the new version: take over now. */
  | { readonly type: "activate" }
  /** The watcher saw it happen; told once, whoever says it first, page or push service. */
  | {
      readonly type: "happened";
      readonly message: PushMessage;
      /** The screen that a click opens, as path and search. */
      readonly path: string;
    };

export type ToPage =
  /** A notification was clicked: go there. */
  | { readonly type: "open"; readonly path: string }
  /** Answer on the port that comes along, with `Alive`: a version that does not start cannot. */
  | { readonly type: "alive?" };

export interface Alive {
  readonly alive: true;
}

/** The screen of a deployment, running or ended: path and search as the app's routes have them. */
export function deploymentPath(type: "new" | "edit" | "delete", node: string, taskID: string): string {
  return `/manager/updatepeer/${type}?node=${encodeURIComponent(node)}&step=awaitingDeployment&task=${encodeURIComponent(taskID)}`;
}
