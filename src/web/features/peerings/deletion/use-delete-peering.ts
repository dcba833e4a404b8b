import type { UseMutationResult } from "@tanstack/react-query";
import { calls } from "#contract/call-tables/app-calls.ts";
import type { Task } from "#contract/lenient.ts";
import { call } from "#web/api/client.ts";
import { useStartDeployment } from "../deployment/use-start-deployment.ts";

/** A mutation that starts the deletion of the peering on a node. `onStarted` receives its task. */
export function useDeletePeering(
  username: string,
  node: string,
  onStarted: (task: Task) => void,
): UseMutationResult<Task, Error, void> {
  const start = () => call(calls.deletePeer, { username, node });
  return useStartDeployment({ username, node, type: "delete", start, onStarted });
}
