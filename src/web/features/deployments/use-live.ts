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
 * @param onLost is called when the stream is lost or refused: the server may be out of reach, or the session over.
 */
export function useLive(username: string, leading: boolean, onLost: () => void): void {
  const queryClient = useQueryClient();
  const tellLost = useEffectEvent(onLost);
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
      onLost: () => tellLost(),
    });
  }, [queryClient, username, leading]);
}
