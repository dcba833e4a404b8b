import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { CallError } from "../../../contract/client.ts";
import { toldBy } from "../../api/client.ts";
import { useProvider } from "../../api/provider.ts";
import { useBusy } from "../../pwa/pwa.ts";
import { type DeploymentType, endingOf } from "../../api/task-ending.ts";
import { taskQuery } from "../../api/tasks.ts";
import { watchTask } from "../../offline/watched-tasks.ts";
import { DeletionEnd } from "./deletion-end.tsx";
import { DeploymentFailure } from "./deployment-failure.tsx";
import { DeploymentProgress } from "./deployment-progress.tsx";
import { DeploymentSuccess } from "./deployment-success.tsx";

interface DeploymentProps {
  readonly type: DeploymentType;
  readonly node: string;
  /** Leads back to the filled form; absent where it is no longer at hand. */
  readonly onReview?: (() => void) | undefined;
}

export interface RunningDeploymentProps extends DeploymentProps {
  readonly username: string;
  readonly taskID: string;
}

/**
 * A deployment that the server has given a task. The watcher polls it; this screen asks once for what it shows first.
 */
export function RunningDeployment(props: RunningDeploymentProps) {
  const { username, type, taskID, node, onReview } = props;
  const queryClient = useQueryClient();
  const title = useProgressTitle(type, node);
  const { data: task, error } = useQuery(taskQuery(username, taskID));
  const unknown = task === undefined && error instanceof CallError && error.status === 404;
  const ending = task ? endingOf(type, task.status) : null;
  const underWay = ending === null && !unknown;

  const where = task?.node ?? node;
  // What had ended before anybody asked is no news.
  const toWatch = underWay && (task !== undefined || error !== null);
  useEffect(() => {
    // Opened from a link, or on another device than it was begun on: now it is watched here as well.
    if (!toWatch) return;
    watchTask(queryClient, { username, taskID, node: where, type, begunHere: false, startedAt: Date.now() });
  }, [queryClient, toWatch, username, taskID, where, type]);

  if (unknown) {
    return <StartingDeployment type={type} node={node} failure={toldBy(error)} onReview={onReview} />;
  }
  if (task === undefined || ending === null) {
    return <DeploymentProgress title={title} taskID={taskID} task={task} pollFailed={error !== null} />;
  }
  if (type === "delete") {
    return <DeletionEnd succeeded={ending === "success"} taskID={taskID} task={task} reason={task.reason} />;
  }
  return ending === "success" ? (
    <DeploymentSuccess username={username} node={task.node} />
  ) : (
    <DeploymentFailure taskID={taskID} task={task} reason={task.reason} onReview={onReview} />
  );
}

export interface StartingDeploymentProps extends DeploymentProps {
  /** Why the submit failed; null while it is under way. */
  readonly failure: string | null;
}

/** A submit that has no task yet, or never will. */
export function StartingDeployment({ type, node, failure, onReview }: StartingDeploymentProps) {
  const title = useProgressTitle(type, node);
  useBusy("deployment", failure === null);
  if (failure === null) {
    return <DeploymentProgress title={title} taskID={null} task={undefined} pollFailed={false} />;
  }
  return type === "delete" ? (
    <DeletionEnd succeeded={false} taskID="unknown" task={undefined} reason={failure} />
  ) : (
    <DeploymentFailure taskID="unknown" task={undefined} reason={failure} onReview={onReview} />
  );
}

function useProgressTitle(type: DeploymentType, node: string): string {
  const { domain } = useProvider();
  return `${type === "delete" ? "Deleting the peering on" : "Deploying to"} ${node}.${domain}`;
}
