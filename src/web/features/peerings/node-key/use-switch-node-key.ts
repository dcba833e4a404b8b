import type { UseMutationResult } from "@tanstack/react-query";
import { nodeKeyCalls } from "#contract/call-tables/node-key-calls.ts";
import type { Task } from "#contract/lenient.ts";
import { call } from "#web/api/client.ts";
import { useStartDeployment } from "../deployment/use-start-deployment.ts";

/** A mutation that starts the deployment of the node's new key. `onStarted` receives its task. */
export function useSwitchNodeKey(
  username: string,
  node: string,
  onStarted: (task: Task) => void,
): UseMutationResult<Task, Error, void> {
  const start = () => call(nodeKeyCalls.switchNodeKey, { username, node });
  return useStartDeployment({ username, node, type: "edit", start, onStarted });
}
