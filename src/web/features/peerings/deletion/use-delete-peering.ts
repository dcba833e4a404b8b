import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { calls } from "#contract/call-tables/app-calls.ts";
import type { Task } from "#contract/lenient.ts";
import { call } from "#web/api/client.ts";
import { requestNotificationPermission } from "#web/browser/notification-permission.ts";
import { toTask, trackTask } from "../deployment/task-queries.ts";

/** A mutation that starts the deletion of the peering on a node. `onStarted` receives its task. */
export function useDeletePeering(
  username: string,
  node: string,
  onStarted: (task: Task) => void,
): UseMutationResult<Task, Error, void> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      void requestNotificationPermission();
      const task = await call(calls.deletePeer, { username, node });
      return toTask({ taskID: task.taskID, node, type: "delete" }, task);
    },
    onSuccess: (task) => {
      trackTask(queryClient, username, "delete", task);
      onStarted(task);
    },
  });
}
