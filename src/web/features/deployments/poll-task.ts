import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Task } from "../../../contract/entities.ts";
import { taskQuery } from "../../api/tasks.ts";
import { type DeploymentType, endingOf } from "./ending.ts";

const firstPollAfter = 1_000;
const pollInterval = 5_000;

/**
 * A deployment, polled until it ends: once after a second, because many are done by then, and every five
 * seconds from there on, whether polls fail or not and whether anybody looks or not.
 */
export function usePolledTask(username: string, taskID: string, type: DeploymentType): UseQueryResult<Task> {
  return useQuery({
    ...taskQuery(username, taskID),
    refetchIntervalInBackground: true,
    refetchInterval: ({ state }) => {
      if (state.data && endingOf(type, state.data.status) !== null) return false;
      return state.dataUpdateCount + state.errorUpdateCount > 1 ? pollInterval : firstPollAfter;
    },
  });
}
