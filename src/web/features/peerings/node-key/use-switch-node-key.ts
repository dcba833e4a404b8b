import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { nodeKeyCalls } from "#contract/call-tables/node-key-calls.ts";
import type { Task } from "#contract/lenient.ts";
import { call } from "#web/api/client.ts";
import { requestNotificationPermission } from "#web/browser/notification-permission.ts";
import { toTask, trackTask } from "../deployment/task-queries.ts";

/** A mutation that starts the deployment of the node's new key. `onStarted` receives its task. */
export function useSwitchNodeKey(
  username: string,
  node: string,
  onStarted: (task: Task) => void,
): UseMutationResult<Task, Error, void> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      void requestNotificationPermission();
      const task = await call(nodeKeyCalls.switchNodeKey, { username, node });
      return toTask({ taskID: task.taskID, node, type: "edit" }, task);
    },
    onSuccess: (task) => {
      trackTask(queryClient, username, "edit", task);
      onStarted(task);
    },
  });
}
