import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { CallError } from "#contract/client.ts";
import type { Task } from "#contract/lenient.ts";
import type { DeploymentType } from "#contract/app/screens.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { useNotificationState } from "#web/browser/notification-permission.ts";
import { useReloadGuard } from "#web/browser/pwa.ts";
import { watchRemoteTask } from "#web/browser/watched-tasks.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { ButtonLink } from "#web/ui/forms/button.tsx";
import { Page } from "#web/ui/layout/page.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import { wizardLink } from "../screen-links.ts";
import { hasPeeringDraft } from "../wizard/peering-draft.ts";
import { DeletionResult, DeploymentFailure, DeploymentSuccess } from "./deployment-result.tsx";
import { TaskDetails } from "./task-details.tsx";
import { usePollError, useTaskPolling } from "./task-polling.ts";
import { taskOutcome, taskQuery } from "./task-queries.ts";
import { type Progress, TimeLeft } from "./time-left.tsx";

export interface DeploymentScreenProps {
  readonly username: string;
  readonly type: DeploymentType;
  readonly node: string;
  readonly taskID: string;
}

/** The screen of a deployment, running or finished. Polls it while it runs. */
export function DeploymentScreen({ username, type, node, taskID }: DeploymentScreenProps) {
  const queryClient = useQueryClient();
  const onReview = useReviewForm(username, type, node);
  const title = useProgressTitle(type, node);
  const { data: task } = useQuery(taskQuery(username, taskID));
  const outcome = task ? taskOutcome(type, task.status) : null;
  useTaskPolling(username, { taskID, node, type }, outcome === null);
  const pollError = usePollError(username, taskID);

  // A task that had finished before the first response needs no completion notice, and one that the server has never
  // known is polled only while its screen is open.
  const runningOn = task && outcome === null ? task.node : undefined;
  useEffect(() => {
    // The screen was opened from a link, or the deployment was started on another device: watch it here too.
    if (runningOn !== undefined) watchRemoteTask(queryClient, { username, taskID, node: runningOn, type });
  }, [queryClient, runningOn, username, taskID, type]);

  if (task === undefined || outcome === null) {
    return <DeploymentProgress type={type} title={title} taskID={taskID} task={task} pollError={pollError} />;
  }
  if (type === "delete") {
    return (
      <DeletionResult succeeded={outcome === "success"} taskID={taskID} task={task} reason={task.reason} />
    );
  }
  return outcome === "success" ? (
    <DeploymentSuccess type={type} username={username} node={task.node} />
  ) : (
    <DeploymentFailure taskID={taskID} task={task} reason={task.reason} onReview={onReview} />
  );
}

/** Opens the form of a failed deployment; undefined if there is no draft of it. */
function useReviewForm(username: string, type: DeploymentType, node: string): (() => void) | undefined {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  if (type === "delete" || !hasPeeringDraft(queryClient, { username, type, node })) return undefined;
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

/** A submit without a task: its request is pending or has failed. */
export function SubmittedDeployment({ type, node, failure, onReview }: SubmittedDeploymentProps) {
  const title = useProgressTitle(type, node);
  useReloadGuard("deployment", failure === null);
  if (failure === null) {
    return (
      <DeploymentProgress type={type} title={title} taskID={null} task={undefined} pollError={undefined} />
    );
  }
  return type === "delete" ? (
    <DeletionResult succeeded={false} taskID="unknown" task={undefined} reason={failure} />
  ) : (
    <DeploymentFailure taskID="unknown" task={undefined} reason={failure} onReview={onReview} />
  );
}

function useProgressTitle(type: DeploymentType, node: string): string {
  const nodeHost = useNodeHost();
  return `${type === "delete" ? "Deleting the peering on" : "Deploying to"} ${nodeHost(node)}`;
}

interface DeploymentProgressProps {
  readonly type: DeploymentType;
  readonly title: string;
  /** Null until the server has created the task. */
  readonly taskID: string | null;
  readonly task: Task | undefined;
  /** Why the last poll failed. */
  readonly pollError: Error | undefined;
}

function DeploymentProgress({ type, title, taskID, task, pollError }: DeploymentProgressProps) {
  const deadline = task?.deadline ?? null;
  return (
    <Page narrow title={title}>
      <Panel>
        <chakra.div display="grid" gap="4">
          <Loader label="Deploying config, please wait... this could take a couple of minutes..." />
          {taskID !== null && <TaskDetails taskID={taskID} task={task} />}
          {task && task.reason !== "" && <p>{task.reason}</p>}
          {deadline !== null && <TimeLeft type={type} deadline={deadline} progress={progressOf(task)} />}
          {task && task.quip !== "" && (
            <chakra.p color="fg.muted" fontStyle="italic">
              {task.quip}
            </chakra.p>
          )}
          {pollError && <PollErrorNotice error={pollError} />}
        </chakra.div>
      </Panel>
      {taskID !== null && !isUnknownTask(pollError) && <LeaveHint type={type} />}
    </Page>
  );
}

/** The server's own steps are the check of the change and the call; all others are the node's. */
const serverSteps = 2;

function progressOf(task: Task | undefined): Progress {
  if (task === undefined || task.reason !== "") return "retrying";
  return task.steps.length > serverSteps ? "reporting" : "silent";
}

/** Says that the deployment continues without this page, and leads to the dashboard. */
function LeaveHint({ type }: { readonly type: DeploymentType }) {
  const isNotified = useNotificationState() === "on";
  return (
    <chakra.div display="grid" gap="3" justifyItems="start">
      <chakra.p fontSize="sm" color="fg.muted">
        {isNotified
          ? `You can leave this page: we notify you when the ${changeNames[type]} finishes.`
          : `You can leave this page. The ${changeNames[type]} continues, and the dashboard links back here.`}
      </chakra.p>
      <ButtonLink to="/manager">Go to the dashboard</ButtonLink>
    </chakra.div>
  );
}

const changeNames: Readonly<Record<DeploymentType, string>> = {
  new: "deployment",
  edit: "deployment",
  delete: "deletion",
};

/** Whether the server does not know the task: nothing can be promised of its end. */
function isUnknownTask(error: Error | undefined): boolean {
  return error instanceof CallError && error.status === 404;
}

function PollErrorNotice({ error }: { readonly error: Error }) {
  if (isUnknownTask(error)) {
    return (
      <Notice>
        The server does not know this task. It may have ended long ago, or belong to another account. We keep
        checking; the <TextLink to="/manager">dashboard</TextLink> shows your peerings as they are now.
      </Notice>
    );
  }
  return <Notice>The last status check failed. The deployment continues, and so do the checks.</Notice>;
}
