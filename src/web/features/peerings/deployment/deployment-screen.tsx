import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { CallError } from "../../../../contract/client.ts";
import type { Task } from "../../../../contract/entities.ts";
import type { DeploymentType } from "../../../../contract/screens.ts";
import { errorMessage } from "../../../api/client.ts";
import { useProvider } from "../../../api/provider.ts";
import { useReloadGuard } from "../../../browser/pwa.ts";
import { watchRemoteTask } from "../../../browser/watched-tasks.ts";
import { Loader } from "../../../ui/feedback/loading.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { wizardLink } from "../screen-links.ts";
import { readPeeringDraft } from "../wizard/peering-draft.ts";
import { DeletionResult, DeploymentFailure, DeploymentSuccess } from "./deployment-result.tsx";
import { TaskDetails } from "./task-details.tsx";
import { taskOutcome, taskQuery } from "./task-queries.ts";

export interface DeploymentScreenProps {
  readonly username: string;
  readonly type: DeploymentType;
  readonly node: string;
  readonly taskID: string;
}

/** The screen of a deployment, running or finished. The watcher polls the task; this screen only fetches its first state. */
export function DeploymentScreen({ username, type, node, taskID }: DeploymentScreenProps) {
  const queryClient = useQueryClient();
  const onReview = useReviewForm(username, type, node);
  const title = useProgressTitle(type, node);
  const { data: task, error } = useQuery(taskQuery(username, taskID));
  const isUnknown = task === undefined && error instanceof CallError && error.status === 404;
  const outcome = task ? taskOutcome(type, task.status) : null;
  const isRunning = outcome === null && !isUnknown;

  const taskNode = task?.node ?? node;
  // A task that had finished before the first response needs no completion notice.
  const shouldWatch = isRunning && (task !== undefined || error !== null);
  useEffect(() => {
    // The screen was opened from a link, or the deployment was started on another device: watch it here too.
    if (!shouldWatch) return;
    watchRemoteTask(queryClient, { username, taskID, node: taskNode, type });
  }, [queryClient, shouldWatch, username, taskID, taskNode, type]);

  if (isUnknown) {
    return <SubmittedDeployment type={type} node={node} failure={errorMessage(error)} onReview={onReview} />;
  }
  if (task === undefined || outcome === null) {
    return <DeploymentProgress title={title} taskID={taskID} task={task} pollFailed={error !== null} />;
  }
  if (type === "delete") {
    return (
      <DeletionResult succeeded={outcome === "success"} taskID={taskID} task={task} reason={task.reason} />
    );
  }
  return outcome === "success" ? (
    <DeploymentSuccess username={username} node={task.node} />
  ) : (
    <DeploymentFailure taskID={taskID} task={task} reason={task.reason} onReview={onReview} />
  );
}

/** Opens the form of a failed deployment; undefined if there is no draft of it. */
function useReviewForm(username: string, type: DeploymentType, node: string): (() => void) | undefined {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  if (type === "delete" || !readPeeringDraft(queryClient, { username, type, node })) return undefined;
  return () => void navigate(wizardLink(type, type === "edit" ? node : "", "confirmDetails"));
}

export interface SubmittedDeploymentProps {
  readonly type: DeploymentType;
  readonly node: string;
  /** Why the submit failed; null while the request is pending. */
  readonly failure: string | null;
  /** Goes back to the filled form. */
  readonly onReview?: (() => void) | undefined;
}

/** A submit without a task: its request is pending or has failed, or the server does not know the task (404). */
export function SubmittedDeployment({ type, node, failure, onReview }: SubmittedDeploymentProps) {
  const title = useProgressTitle(type, node);
  useReloadGuard("deployment", failure === null);
  if (failure === null) {
    return <DeploymentProgress title={title} taskID={null} task={undefined} pollFailed={false} />;
  }
  return type === "delete" ? (
    <DeletionResult succeeded={false} taskID="unknown" task={undefined} reason={failure} />
  ) : (
    <DeploymentFailure taskID="unknown" task={undefined} reason={failure} onReview={onReview} />
  );
}

function useProgressTitle(type: DeploymentType, node: string): string {
  const { domain } = useProvider();
  return `${type === "delete" ? "Deleting the peering on" : "Deploying to"} ${node}.${domain}`;
}

interface DeploymentProgressProps {
  readonly title: string;
  /** Null until the server has created the task. */
  readonly taskID: string | null;
  readonly task: Task | undefined;
  /** Whether the last poll failed. */
  readonly pollFailed: boolean;
}

function DeploymentProgress({ title, taskID, task, pollFailed }: DeploymentProgressProps) {
  return (
    <Page narrow title={title}>
      <Panel>
        <chakra.div display="grid" gap="4">
          <Loader label="Deploying config, please wait... this could take a couple of minutes..." />
          {taskID !== null && <TaskDetails taskID={taskID} task={task} />}
          {task && task.reason !== "" && <p>{task.reason}</p>}
          {task && task.quip !== "" && (
            <chakra.p color="fg.muted" fontStyle="italic">
              {task.quip}
            </chakra.p>
          )}
          {pollFailed && (
            <Notice>The last status check failed. The deployment continues, and so do the checks.</Notice>
          )}
        </chakra.div>
      </Panel>
      {taskID !== null && (
        <chakra.p fontSize="sm" color="fg.muted">
          You can leave this page. The deployment continues, and the dashboard links back here.
        </chakra.p>
      )}
    </Page>
  );
}
