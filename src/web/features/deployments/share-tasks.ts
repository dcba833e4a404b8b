import type { QueryClient } from "@tanstack/react-query";
import type { Task } from "../../../contract/entities.ts";
import { refreshPeering } from "../../api/peering-key.ts";
import { takeTask, taskSubject } from "../../api/tasks.ts";
import { listenToTabs, tellTabs } from "../../offline/tabs.ts";
import { noteWatched } from "../../offline/watched-tasks.ts";

/** Tells the other tabs what the server answers here, and takes what it answered there, until the function is called. */
export function shareTasks(queryClient: QueryClient, username: string): () => void {
  const stopListening = listenToTabs((message) => {
    if (message.type === "begun" && message.task.username === username)
      noteWatched(queryClient, [message.task]);
    if (message.type === "task" && message.username === username)
      takeTask(queryClient, username, message.task);
    if (message.type === "peering" && message.username === username)
      void refreshPeering(queryClient, username, message.node);
  });
  const stopTelling = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success") return;
    // What was put into the cache by hand came from a tab, or is told by whoever put it there.
    if (event.action.manual === true) return;
    const [subject, whose] = event.query.queryKey;
    if (subject === taskSubject && whose === username)
      tellTabs({ type: "task", username, task: event.action.data as Task });
  });
  return () => {
    stopListening();
    stopTelling();
  };
}
