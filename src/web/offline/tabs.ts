/** What the tabs of one browser tell each other. A browser without the means has tabs that live alone. */
import type { Task } from "../../contract/entities.ts";
import type { RememberedTask } from "../../device/tasks.ts";

export type TabMessage =
  /** Whoever was signed in is not any more. */
  | { readonly type: "signed-out" }
  /** This AS has signed in. The session of whoever was signed in before has ended with that. */
  | { readonly type: "signed-in"; readonly username: string }
  /** A deployment that is to be watched. */
  | { readonly type: "begun"; readonly task: RememberedTask }
  /** How a deployment stands. */
  | { readonly type: "task"; readonly username: string; readonly task: Task }
  /** The state of a peering changed. */
  | { readonly type: "peering"; readonly username: string; readonly node: string };

const name = "peerdeck";

/** One for the whole tab: a channel's messages reach all others of the same name, those of the same tab too. */
let channel: BroadcastChannel | null | undefined;

function openChannel(): BroadcastChannel | null {
  channel ??= typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name);
  return channel;
}

/** All other tabs hear it. */
export function tellTabs(message: TabMessage): void {
  openChannel()?.postMessage(message);
}

/** Hears the other tabs until the answered function is called. */
export function listenToTabs(onMessage: (message: TabMessage) => void): () => void {
  const hear = ({ data }: MessageEvent<TabMessage>) => onMessage(data);
  const heard = openChannel();
  heard?.addEventListener("message", hear);
  return () => heard?.removeEventListener("message", hear);
}
