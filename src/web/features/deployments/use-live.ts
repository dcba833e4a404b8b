import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { refreshPeering, refreshPeerings } from "../../api/peering-key.ts";
import { takeTask } from "../../api/tasks.ts";
import { followLive } from "../../offline/live.ts";
import { tellTabs } from "../../offline/tabs.ts";
import { watchTask } from "../../offline/watched-tasks.ts";

/**
 * One tab hears the server's events for all of them.
 *
 * @param onRefused is called when the server gives no stream: the session may have ended.
 */
export function useLive(username: string, leading: boolean, onRefused: () => void): void {
  const queryClient = useQueryClient();
  const tellRefused = useEffectEvent(onRefused);
  useEffect(() => {
    if (!leading) return;
    return followLive(username, {
      onTask: (task) => {
        const { taskID, node, kind, status } = task;
        takeTask(queryClient, username, task);
        tellTabs({ type: "task", username, task });
        if (status !== "waiting") return;
        const type = kind === "delete" ? "delete" : "edit";
        watchTask(queryClient, { username, taskID, node, type, begunHere: false, startedAt: Date.now() });
      },
      onPeering: ({ node }) => {
        void refreshPeering(queryClient, username, node);
        tellTabs({ type: "peering", username, node });
      },
      onGap: () => void refreshPeerings(queryClient, username),
      onRefused: () => tellRefused(),
    });
  }, [queryClient, username, leading]);
}
