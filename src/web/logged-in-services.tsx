/** Runs while an AS is logged in, on every screen. Loaded after the first paint. */
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useRouter } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { recheckLoginSession } from "./api/login-session.ts";
import { deploymentPath } from "../contract/app/screen-paths.ts";
import type { WatchedTask } from "../browser-storage/stored-tasks.ts";
import { CompletionNotices } from "./features/peerings/deployment/completion-notices.tsx";
import { useAppBadge } from "./features/peerings/use-app-badge.ts";
import { useEventStream } from "./features/peerings/deployment/use-event-stream.ts";
import { type FinishedTask, Watcher } from "./features/peerings/deployment/watcher.tsx";
import { pushQuery } from "./api/push.ts";
import { deletePeeringDraft, deleteSubmittedDraft } from "./features/peerings/wizard/peering-draft.ts";
import { useTabRole } from "./browser/leader-tab.ts";
import { notificationState, useNotificationState } from "./browser/notification-permission.ts";
import { postToWorker } from "./browser/worker.ts";

export function LoggedInServices({ username }: { readonly username: string }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const role = useTabRole();
  const { onLoginSessionEnd } = router.options.context;
  useEventStream(username, role, () => void recheckLoginSession(queryClient, onLoginSessionEnd));
  useAppBadge(username);
  // Keeps this device subscribed to push messages while notifications are on.
  useQuery({ ...pushQuery(username), enabled: useNotificationState() === "on" });
  const openTaskID = useLocation({ select: ({ search }) => search.task });
  const [finished, setFinished] = useState<readonly FinishedTask[]>([]);

  /** By node, the last failed deletion that was started elsewhere. */
  const lastFailures = useRef(new Map<string, string>());

  const handleFinished = (task: FinishedTask) => {
    const { watched, outcome } = task;
    if (outcome === "success") deleteDeployedDraft(queryClient, watched);
    // That screen shows the attempts, and the server repeats a failed one by itself.
    if (router.state.location.pathname === "/accountDeletion" || isRepeated(lastFailures.current, task))
      return;
    const isNotified = notificationState() === "on";
    if (isNotified) notify(task);
    const { taskID } = watched;
    const isOpen = router.state.location.search.task === taskID;
    // The notification of a hidden page is enough. Without notifications the notice waits for the participant.
    if (isOpen || (isNotified && document.visibilityState !== "visible")) return;
    // The newest result of a peering replaces the one before. The watcher may report a task twice if it had finished
    // before it was watched.
    setFinished((all) => [...all.filter((other) => other.watched.node !== watched.node), task]);
  };
  return (
    <>
      <Watcher username={username} isLeader={role !== "follower"} onFinished={handleFinished} />
      <CompletionNotices
        finished={finished.filter(({ watched }) => watched.taskID !== openTaskID)}
        onClose={(taskID) => setFinished((all) => all.filter(({ watched }) => watched.taskID !== taskID))}
      />
    </>
  );
}

/**
 * Whether a deletion that was not started here has failed on this node before: the server repeats the deletions of an
 * account that waits for a node.
 */
function isRepeated(
  lastFailures: Map<string, string>,
  { watched: { type, node, isStartedHere, taskID }, outcome }: FinishedTask,
): boolean {
  const last = lastFailures.get(node);
  if (type !== "delete" || isStartedHere || outcome === "success") {
    lastFailures.delete(node);
    return false;
  }
  lastFailures.set(node, taskID);
  return last !== undefined && last !== taskID;
}

/** Every tab sends this to the worker, and the push service may send it too. The worker shows one notification. */
function notify({ watched: { username, taskID, type, node }, task: { kind, status } }: FinishedTask): void {
  if (status !== "success" && status !== "failed" && status !== "error") return;
  void postToWorker({
    type: "notify",
    message: { type: "deployment", username, taskID, node, kind, status },
    path: deploymentPath(type, node, taskID),
  });
}

/** Removes the draft of the deployed form, or of the edit form of a deleted peering. */
function deleteDeployedDraft(
  queryClient: QueryClient,
  { username, type, node, isStartedHere, formHash }: WatchedTask,
): void {
  if (type !== "delete") {
    if (formHash !== undefined) deleteSubmittedDraft(queryClient, { username, type, node }, formHash);
  } else if (isStartedHere) {
    deletePeeringDraft(queryClient, { username, type: "edit", node });
  }
}
