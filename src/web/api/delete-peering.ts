import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { calls } from "../../contract/calls.ts";
import type { Task } from "../../contract/entities.ts";
import { askToNotify } from "../offline/notifications.ts";
import { call } from "./client.ts";
import { beginTask } from "./tasks.ts";

/** Starts the deletion of the peering on a node; `onStarted` gets its task. */
export function useDeletePeering(
  username: string,
  node: string,
  onStarted: (task: Task) => void,
): UseMutationResult<Task, Error, void> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => {
      void askToNotify();
      return call(calls.deletePeer, { username, node });
    },
    onSuccess: (task) => {
      beginTask(queryClient, username, "delete", task);
      onStarted(task);
    },
  });
}
