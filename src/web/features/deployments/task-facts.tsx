import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";
import type { Task } from "../../../contract/entities.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Provided } from "../../ui/provided.tsx";

export interface TaskFactsProps {
  readonly taskID: string;
  readonly task: Task | undefined;
}

/** What is known of a task: its ID, its status and the steps taken. */
export function TaskFacts({ taskID, task }: TaskFactsProps) {
  const stepsId = useId();
  return (
    <>
      <KeyValueList
        items={[
          {
            label: "Task ID",
            value: task ? <CopyText value={taskID} label="task ID" /> : <Provided value={taskID} />,
          },
          ...(task ? [{ label: "Status", value: task.status }] : []),
        ]}
      />
      {task && task.steps.length > 0 && (
        <div>
          <chakra.h3 id={stepsId} fontWeight="medium">
            Steps taken
          </chakra.h3>
          <chakra.ol mt="1" ps="5" display="grid" gap="1" listStyleType="decimal" aria-labelledby={stepsId}>
            {task.steps.map((step) => (
              <chakra.li key={step} overflowWrap="anywhere">
                {step}
              </chakra.li>
            ))}
          </chakra.ol>
        </div>
      )}
    </>
  );
}
