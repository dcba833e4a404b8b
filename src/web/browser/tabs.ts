/** Messages between the tabs of one browser. Without BroadcastChannel, each tab works alone. */
import type { Task } from "../../contract/lenient.ts";
import type { LiveEvent } from "../../contract/live-events.ts";
import type { WatchedTask } from "../../browser-storage/stored-tasks.ts";

/** Persisted names: tabs of other builds send and receive the same messages. */
export type TabMessage =
  /** The AS that was logged in has logged out. */
  | { readonly type: "logged-out" }
  /** This AS has logged in, which ended the login session of any other. */
  | { readonly type: "logged-in"; readonly username: string }
  /** A deployment to watch. */
  | { readonly type: "deployment-started"; readonly task: WatchedTask }
  /** The current state of a deployment. */
  | { readonly type: "task"; readonly username: string; readonly task: Task }
  /** The status of a peering has changed. */
  | ({ readonly type: "peering"; readonly username: string } & LiveEvent<"peering">)
  /** The leader tab has connected the event stream, or lost it. */
  | { readonly type: "event-stream"; readonly username: string; readonly isConnected: boolean };

/** Persisted name. */
const channelName = "peerdeck";

/** One for the tab: a second channel of the same name would receive the tab's own messages. */
let channel: BroadcastChannel | null | undefined;

function openChannel(): BroadcastChannel | null {
  channel ??= typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(channelName);
  return channel;
}

/** Sends a message to all other tabs. */
export function broadcast(message: TabMessage): void {
  openChannel()?.postMessage(message);
}

/** Receives messages of other tabs until the returned function is called. */
export function onBroadcast(onMessage: (message: TabMessage) => void): () => void {
  const listener = ({ data }: MessageEvent<TabMessage>) => onMessage(data);
  const opened = openChannel();
  opened?.addEventListener("message", listener);
  return () => opened?.removeEventListener("message", listener);
}
