import { chakra } from "@chakra-ui/react/styled-system";
import type { Task } from "../../../contract/entities.ts";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { TaskFacts } from "./task-facts.tsx";

export interface DeploymentProgressProps {
  readonly title: string;
  /** Null until the server has given one. */
  readonly taskID: string | null;
  readonly task: Task | undefined;
  /** The last poll got no answer. */
  readonly pollFailed: boolean;
}

export function DeploymentProgress({ title, taskID, task, pollFailed }: DeploymentProgressProps) {
  return (
    <Page narrow title={title}>
      <Panel>
        <chakra.div display="grid" gap="4">
          <Loader label="Deploying config, please wait... this could take a couple of minutes..." />
          {taskID !== null && <TaskFacts taskID={taskID} task={task} />}
          {task && task.reason !== "" && <p>{task.reason}</p>}
          {task && task.quip !== "" && (
            <chakra.p color="fg.muted" fontStyle="italic">
              {task.quip}
            </chakra.p>
          )}
          {pollFailed && (
            <Notice>The last check got no answer. The deployment goes on, and so do the checks.</Notice>
          )}
        </chakra.div>
      </Panel>
      {taskID !== null && (
        <chakra.p fontSize="sm" color="fg.muted">
          You can leave this page. The deployment goes on, and the dashboard leads back here.
        </chakra.p>
      )}
    </Page>
  );
}
