import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { refreshPeerings } from "../../api/peering-key.ts";
import { useProvider } from "../../api/provider.ts";
import { DeletionEnd } from "./deletion-end.tsx";
import { DeploymentFailure } from "./deployment-failure.tsx";
import { DeploymentProgress } from "./deployment-progress.tsx";
import { DeploymentSuccess } from "./deployment-success.tsx";
import { type DeploymentType, endingOf } from "./ending.ts";
import { usePolledTask } from "./poll-task.ts";

interface DeploymentProps {
  readonly type: DeploymentType;
  readonly node: string;
  /** Leads back to the filled form; absent where it is no longer at hand. */
  readonly onReview?: (() => void) | undefined;
}

export interface RunningDeploymentProps extends DeploymentProps {
  readonly username: string;
  readonly taskID: string;
  /** Called once when the deployment has succeeded. */
  readonly onSuccess: () => void;
}

/** A deployment that the server has given a task. */
export function RunningDeployment(props: RunningDeploymentProps) {
  const { username, type, taskID, node, onReview, onSuccess } = props;
  const queryClient = useQueryClient();
  const title = useProgressTitle(type, node);
  const { data: task, isError } = usePolledTask(username, taskID, type);
  const ending = task ? endingOf(type, task.status) : null;

  const tellEnd = useEffectEvent((end: "success" | "failure") => {
    void refreshPeerings(queryClient, username);
    if (end === "success") onSuccess();
  });
  useEffect(() => {
    if (ending !== null) tellEnd(ending);
  }, [ending]);

  if (task === undefined || ending === null) {
    return <DeploymentProgress title={title} taskID={taskID} task={task} pollFailed={isError} />;
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
