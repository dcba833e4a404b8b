import type { TaskStatus } from "../../contract/entities.ts";

export const deploymentTypes = ["new", "edit", "delete"] as const;
export type DeploymentType = (typeof deploymentTypes)[number];

export type Ending = "success" | "failure" | null;

const update: Readonly<Record<TaskStatus, Ending>> = {
  waiting: null,
  success: "success",
  failed: "failure",
  error: "failure",
};

/** How a deployment ended, null while it goes on. A deletion goes on through `error` (section 4). */
export function endingOf(type: DeploymentType, status: TaskStatus): Ending {
  return type === "delete" && status === "error" ? null : update[status];
}
