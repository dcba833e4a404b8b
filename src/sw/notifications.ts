/**
 * Notifications: the outcome of a deployment, changes of BGP sessions, new public keys and addresses of nodes, and forgotten
 * nodes.
 *
 * Invariants:
 * - The outcome of a deployment is shown once, whether a page or the push service reports it first: the first one claims
 *   it on the device. The tag of the notification is the task ID. Where every push must show something, the same
 *   notification is shown again, silently, and replaces the first.
 * - A notification about the session, the key or the address of a node replaces the previous one about it.
 * - Only the AS that is logged in on this device is notified.
 */
import { calls } from "../contract/calls.ts";
import { nodeHost } from "../contract/node-host.ts";
import type { PushMessage } from "../contract/push.ts";
import { deploymentPath, overviewPath } from "../contract/app/screen-paths.ts";
import { deploymentTypeOf } from "../contract/app/screens.ts";
import type { MessageToPage } from "../contract/app/worker-messages.ts";
import { readCachedResponse } from "../browser-storage/cached-responses.ts";
import { readOwner } from "../browser-storage/owner.ts";
import { claimNotification, readTasks } from "../browser-storage/stored-tasks.ts";
import {
  type DeploymentMessage,
  deploymentText,
  nodeAddressText,
  nodeForgottenText,
  nodeKeyReturnedText,
  nodeKeyText,
  nodeRekeyCancelledText,
  nodeRekeyText,
  type NotificationText,
  sessionText,
} from "./notification-texts.ts";
import { isScreen } from "./shell.ts";

declare const self: ServiceWorkerGlobalScope;

/** Stored with a notification, for a click on it. Persisted name. */
interface NotificationData {
  readonly path: string;
}

export interface NotifyOptions {
  /** The screen that a click opens, if a page has reported the message. */
  readonly path?: string;
  /** Shows a deployment's notification again, silently, in place of the first. */
  readonly showAgain?: boolean;
}

/** The texts of what happens to the key of a node. */
const keyTexts = {
  nodeKey: nodeKeyText,
  nodeRekey: nodeRekeyText,
  nodeRekeyCancelled: nodeRekeyCancelledText,
  nodeKeyReturned: nodeKeyReturnedText,
} as const;

export async function notify(
  message: PushMessage,
  { path, showAgain = false }: NotifyOptions = {},
): Promise<void> {
  if (Notification.permission !== "granted" || (await readOwner()) !== message.username) return;
  const host = await hostOf(message.node);
  if (message.type === "session") {
    await show(`session ${message.node}`, sessionText(message, host), overviewPath(message.node));
    return;
  }
  if (message.type === "nodeAddress") {
    await show(`nodeAddress ${message.node}`, nodeAddressText(host), overviewPath(message.node, "edit"));
    return;
  }
  if (message.type === "nodeForgotten") {
    await show(`nodeForgotten ${message.node}`, nodeForgottenText(host), "/manager");
    return;
  }
  if (message.type !== "deployment") {
    await show(`nodeKey ${message.node}`, keyTexts[message.type](host), overviewPath(message.node, "edit"));
    return;
  }
  const screen = path ?? (await deploymentScreen(message));
  const isNew = await claimNotification(message.username, message.taskID);
  if (isNew || showAgain) await show(message.taskID, deploymentText(message, host), screen, isNew);
}

async function show(
  tag: string,
  { title, body }: NotificationText,
  path: string,
  isNew = true,
): Promise<void> {
  const data: NotificationData = { path };
  // Only Chrome's and Firefox's types have `renotify`: a new message alerts although it replaces another.
  const options: NotificationOptions & { readonly renotify: boolean } = {
    body,
    tag,
    data,
    renotify: isNew,
    silent: isNew ? null : true,
    icon: "/icons/app-192.png",
    badge: "/icons/badge-96.png",
  };
  await self.registration.showNotification(title, options);
}

/** Handles a click: opens the screen in a tab that is already open, or in a new one. */
export async function openFromNotification(event: NotificationEvent): Promise<void> {
  event.notification.close();
  const { path } = event.notification.data as NotificationData;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // Other pages of this origin, such as the demo's, do not handle the message.
  const tabs = windows.filter(({ url }) => isScreen(new URL(url).pathname));
  const tab =
    tabs.find(({ focused }) => focused) ??
    tabs.find(({ visibilityState }) => visibilityState === "visible") ??
    tabs[0];
  if (tab === undefined) {
    await self.clients.openWindow(path);
    return;
  }
  const message: MessageToPage = { type: "open", path };
  tab.postMessage(message);
  // If the browser refuses to focus the tab, the screen is open all the same.
  await tab.focus().catch(() => undefined);
}

async function deploymentScreen({ username, taskID, node, kind }: DeploymentMessage): Promise<string> {
  const watched = (await readTasks(username)).find((task) => task.taskID === taskID);
  return deploymentPath(watched?.type ?? deploymentTypeOf(kind), node, taskID);
}

/** The node's name with the provider's domain, if the provider is cached on this device. */
async function hostOf(node: string): Promise<string> {
  const cached = await readCachedResponse({ username: null, path: calls.provider.path, requestBody: "" });
  if (cached === undefined) return node;
  const { domain } = JSON.parse(cached.body) as { readonly domain?: string };
  return nodeHost(node, domain ?? "");
}
