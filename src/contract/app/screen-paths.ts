/** Addresses of screens for notifications, mails and stored tasks. In a file of its own, since the front page needs none. */
import type { DeploymentType, OverviewTab, WizardStep } from "./screens.ts";

/** Path and search of a deployment's screen, running or finished. */
export function deploymentPath(type: DeploymentType, node: string, taskID: string): string {
  const step: WizardStep = "awaitingDeployment";
  return `/manager/updatepeer/${type}?node=${encodeURIComponent(node)}&step=${step}&task=${encodeURIComponent(taskID)}`;
}

/** Path and search of a peering's overview. */
export function overviewPath(node: string, tab?: OverviewTab): string {
  return `/manager?node=${encodeURIComponent(node)}${tab === undefined ? "" : `&tab=${tab}`}`;
}
