/**
 * What is told outside of the page: the end of a deployment and what became of a session.
 *
 * Invariants:
 * - The end of a deployment is told once, whether a page or the push service says it first: whoever claims it on the
 *   device tells it, and its tag is the task ID. Where every push has to show something, the same is shown again in its
 *   place, without a sound.
 * - Of a peering's sessions the last news stands, in the place of the former.
 * - Nothing is told to anybody but the AS that is signed in on this device.
 */
import { calls } from "../contract/calls.ts";
import type { PushMessage } from "../contract/push.ts";
import { deploymentPath, type ToPage } from "../contract/worker.ts";
import { readAnswer } from "../device/answers.ts";
import { readOwner } from "../device/owner.ts";
import { claimTelling, rememberedTasks } from "../device/tasks.ts";
import { tellDeployment, tellSession, type Told } from "./notification-texts.ts";
import { isScreen } from "./shell.ts";

declare const self: ServiceWorkerGlobalScope;

/** What a notification carries for the click on it. */
interface Clickable {
  readonly path: string;
}

export interface HowToTell {
  /** The screen that a click opens, where the page that saw it has said so. */
  readonly path?: string;
  /** What was told before is shown once more, without a sound, in the place where it stood. */
  readonly again?: boolean;
}

export async function tell(message: PushMessage, { path, again = false }: HowToTell = {}): Promise<void> {
  if (Notification.permission !== "granted" || (await readOwner()) !== message.username) return;
  const host = await hostOf(message.node);
  if (message.type === "session") {
    await show(`session ${message.node}`, tellSession(message, host), overviewPath(message.node));
    return;
  }
  const screen = path ?? (await screenOf(message));
  const isNews = await claimTelling(message.username, message.taskID);
  if (isNews || again) await show(message.taskID, tellDeployment(message, host), screen, isNews);
}

async function show(tag: string, { title, body }: Told, path: string, isNews = true): Promise<void> {
  const data: Clickable = { path };
  // `renotify` is in Chrome's and Firefox's types only: what replaces old news is news.
  const options: NotificationOptions & { readonly renotify: boolean } = {
    body,
    tag,
    data,
    renotify: isNews,
    silent: isNews ? null : true,
    icon: "/icons/app-192.png",
    badge: "/icons/badge-96.png",
  };
  await self.registration.showNotification(title, options);
}

/** A click: to the tab that is open already, or to a new one. */
export async function open(event: NotificationEvent): Promise<void> {
  event.notification.close();
  const { path } = event.notification.data as Clickable;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // In others of this origin (the demo's own pages) nobody listens.
  const tabs = windows.filter(({ url }) => isScreen(new URL(url).pathname));
  const tab =
    tabs.find(({ focused }) => focused) ??
    tabs.find(({ visibilityState }) => visibilityState === "visible") ??
    tabs[0];
  if (tab === undefined) {
    await self.clients.openWindow(path);
    return;
  }
  const message: ToPage = { type: "open", path };
  tab.postMessage(message);
  // A browser that does not let itself be brought to the front has shown the screen all the same.
  await tab.focus().catch(() => undefined);
}

function overviewPath(node: string): string {
  return `/manager?node=${encodeURIComponent(node)}`;
}

async function screenOf({
  username,
  taskID,
  node,
  kind,
}: Extract<PushMessage, { type: "deployment" }>): Promise<string> {
  const remembered = (await rememberedTasks(username)).find((task) => task.taskID === taskID);
  return deploymentPath(remembered?.type ?? (kind === "delete" ? "delete" : "edit"), node, taskID);
}

/** The node's name with the provider's domain, where that is known on this device. */
async function hostOf(node: string): Promise<string> {
  const kept = await readAnswer({ username: null, path: calls.provider.path, asked: "" });
  if (kept === undefined) return node;
  const { domain } = JSON.parse(kept.body) as { readonly domain: string };
  return `${node}.${domain}`;
}
