/** Link options of the screens of a peering, for links and `navigate`. */
import type { DeploymentType, FormStep, OverviewTab } from "../../../contract/screens.ts";

export function overviewLink(node: string, tab?: OverviewTab) {
  return { to: "/manager", search: { node, ...(tab !== undefined && { tab }) } } as const;
}

/** @param node "" for a new peering, whose node is part of the form. */
export function wizardLink(type: DeploymentType, node = "", step?: FormStep) {
  const search = { ...(step !== undefined && { step }), ...(node !== "" && { node }) };
  return { to: "/manager/updatepeer/$type", params: { type }, search } as const;
}

/** The screen of a deployment, running or finished. */
export function deploymentLink(type: DeploymentType, node: string, taskID: string) {
  const search = { node, step: "awaitingDeployment", task: taskID } as const;
  return { to: "/manager/updatepeer/$type", params: { type }, search } as const;
}
