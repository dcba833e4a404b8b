import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import type { InferOutput } from "valibot";
import type { DeploymentType } from "#contract/app/screens.ts";
import type { startedTask, Task } from "#contract/lenient.ts";
import { requestNotificationPermission } from "#web/browser/notification-permission.ts";
import { toTask, trackTask } from "./task-queries.ts";

export interface StartableDeployment {
  readonly username: string;
  readonly node: string;
  readonly type: DeploymentType;
  /** Makes the call that starts it. */
  readonly start: () => Promise<InferOutput<typeof startedTask>>;
  /** Receives its task. */
  readonly onStarted: (task: Task) => void;
}

/** A mutation that starts a deployment for which nothing is entered. */
export function useStartDeployment({
  username,
  node,
  type,
  start,
  onStarted,
}: StartableDeployment): UseMutationResult<Task, Error, void> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      void requestNotificationPermission();
      const task = await start();
      return toTask({ taskID: task.taskID, node, type }, task);
    },
    onSuccess: (task) => {
      trackTask(queryClient, username, type, task);
      onStarted(task);
    },
  });
}
