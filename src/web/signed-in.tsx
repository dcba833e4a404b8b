/** What goes on while somebody is signed in, whatever page is open. Loaded after the first paint. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useLocation, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { recheckSession } from "./api/session.ts";
import { deploymentPath } from "../contract/worker.ts";
import type { RememberedTask } from "../device/tasks.ts";
import { EndedNotices } from "./features/deployments/ended-notices.tsx";
import { useLive } from "./features/deployments/use-live.ts";
import { type EndedTask, Watcher } from "./features/deployments/watcher.tsx";
import { useKeepSubscribed } from "./features/notifications/keep-subscribed.ts";
import { dropDraft, dropSubmitted } from "./features/peering-wizard/draft.ts";
import { useLeading } from "./offline/leading-tab.ts";
import { notificationState } from "./offline/notifications.ts";
import { tellWorker } from "./offline/tell-worker.ts";

export function SignedIn({ username }: { readonly username: string }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const leading = useLeading();
  const { onSessionEnd } = router.options.context;
  useLive(username, leading, () => void recheckSession(queryClient, onSessionEnd));
  useKeepSubscribed(username);
  const open = useLocation({ select: ({ search }) => search.task });
  const [ended, setEnded] = useState<readonly EndedTask[]>([]);

  const onEnded = (each: EndedTask) => {
    const { watched, ending } = each;
    if (ending === "success") dropDeployed(queryClient, watched);
    const notified = notificationState() === "on";
    if (notified) notify(each);
    const { taskID } = watched;
    const seen = router.state.location.search.task === taskID;
    // Where nothing else tells it, it stands here until they come back.
    if (seen || (notified && document.visibilityState !== "visible")) return;
    // An end that was known when the watching began may be told twice.
    setEnded((all) => [...all.filter((other) => other.watched.taskID !== taskID), each]);
  };
  return (
    <>
      <Watcher username={username} leading={leading} onEnded={onEnded} />
      <EndedNotices
        ended={ended.filter(({ watched }) => watched.taskID !== open)}
        onClose={(taskID) => setEnded((all) => all.filter(({ watched }) => watched.taskID !== taskID))}
      />
    </>
  );
}

/** Every tab says it and the push service may; the worker tells it once. */
function notify({ watched: { username, taskID, type, node }, task: { kind, status } }: EndedTask): void {
  if (status === "waiting") return;
  void tellWorker({
    type: "happened",
    message: { type: "deployment", username, taskID, node, kind, status },
    path: deploymentPath(type, node, taskID),
  });
}

/** The form that was deployed is done with, and every change of a peering that was deleted. */
function dropDeployed(
  queryClient: QueryClient,
  { username, type, node, begunHere, submitted }: RememberedTask,
): void {
  if (type !== "delete") {
    if (submitted !== undefined) dropSubmitted(queryClient, { username, type, node }, submitted);
  } else if (begunHere) {
    dropDraft(queryClient, { username, type: "edit", node });
  }
}
