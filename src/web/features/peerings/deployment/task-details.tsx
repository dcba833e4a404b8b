import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";
import type { Task } from "#contract/lenient.ts";
import { CopyText, ValueOrPlaceholder } from "#web/ui/text/copy-text.tsx";
import { KeyValueList } from "#web/ui/text/key-value-list.tsx";

export interface TaskDetailsProps {
  readonly taskID: string;
  readonly task: Task | undefined;
}

/** A task's ID, status and the steps taken. */
export function TaskDetails({ taskID, task }: TaskDetailsProps) {
  const stepsId = useId();
  return (
    <>
      <KeyValueList
        items={[
          {
            label: "Task ID",
            value: task ? <CopyText value={taskID} label="task ID" /> : <ValueOrPlaceholder value={taskID} />,
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
