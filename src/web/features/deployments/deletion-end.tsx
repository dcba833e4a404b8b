import type { Task } from "../../../contract/entities.ts";
import { chakra } from "@chakra-ui/react/styled-system";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { TaskFacts } from "./task-facts.tsx";

export interface DeletionEndProps {
  readonly succeeded: boolean;
  readonly taskID: string;
  readonly task: Task | undefined;
  /** Why it failed; empty otherwise. */
  readonly reason: string;
}

export function DeletionEnd({ succeeded, taskID, task, reason }: DeletionEndProps) {
  return (
    <Page narrow title={succeeded ? "Success!" : "Failed"}>
      {succeeded ? (
        <Notice tone="success">You have successfully deleted the peering on this node.</Notice>
      ) : (
        <Notice tone="error">Failed to delete the peering. Please try again or contact support.</Notice>
      )}
      <Panel>
        <chakra.div display="grid" gap="4">
          {reason !== "" && <p>{reason}</p>}
          <TaskFacts taskID={taskID} task={task} />
        </chakra.div>
      </Panel>
      <div>
        <ButtonLink to="/" tone="primary">
          Close
        </ButtonLink>
      </div>
    </Page>
  );
}
