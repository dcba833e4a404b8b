import { chakra } from "@chakra-ui/react/styled-system";
import type { Task } from "../../../contract/entities.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";

export interface TaskFactsProps {
  readonly taskID: string;
  readonly task: Task | undefined;
}

/** What is known of a task: its ID, its status and the steps taken. */
export function TaskFacts({ taskID, task }: TaskFactsProps) {
  return (
    <>
      <KeyValueList
        items={[
          { label: "Task ID", value: <CopyText value={taskID} label="task ID" /> },
          ...(task ? [{ label: "Status", value: task.status }] : []),
        ]}
      />
      {task && task.steps.length > 0 && (
        <chakra.ol display="grid" gap="1" ps="5" listStyleType="decimal" aria-label="Steps taken">
          {task.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </chakra.ol>
      )}
    </>
  );
}
