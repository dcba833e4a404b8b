import type { Task } from "#contract/lenient.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import { contactLink } from "../screen-links.ts";
import { TaskDetails } from "../deployment/task-details.tsx";

export interface DeletionFailureProps {
  /** "unknown" if the server created no task. */
  readonly taskID: string;
  readonly task: Task | undefined;
  /** Why the deletion failed; "" if no reason is known. */
  readonly reason: string;
}

/** A deletion that failed: the message, the reason and the task ID. */
export function DeletionFailure({ taskID, task, reason }: DeletionFailureProps) {
  return (
    <>
      <Notice tone="error">
        <p>
          Failed to delete the peering. Please try again or{" "}
          <TextLink {...contactLink(taskID)}>contact support</TextLink>.
        </p>
        {reason !== "" && <p>{reason}</p>}
      </Notice>
      <TaskDetails taskID={taskID} task={task} />
    </>
  );
}
