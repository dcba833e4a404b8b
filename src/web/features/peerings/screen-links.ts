/** Link options of the screens of a peering, for links and `navigate`. */
import type { DeploymentType, FormStep, OverviewTab, ReceivedTab } from "#contract/app/screens.ts";

/** Replaces a screen of a peering that does not exist. */
export const notFoundLink = { to: "/not-found", replace: true } as const;

export function overviewLink(node: string, tab?: OverviewTab) {
  return { to: "/manager", search: { node, ...(tab !== undefined && { tab }) } } as const;
}

/** Opens what to do about a peering, below the sentence of its overview. */
export const fixHash = "fix";

/** The refused routes of a peering, with the reasons. */
export function refusedRoutesLink(node: string) {
  const tab: OverviewTab = "troubleshooting";
  const routes: ReceivedTab = "refused";
  return { to: "/manager", search: { node, tab, routes } } as const;
}

/** @param node "" for a new peering, whose node is part of the form; a new peering with a node starts with that node chosen. */
export function wizardLink(type: DeploymentType, node = "", step?: FormStep) {
  const search = { ...(step !== undefined && { step }), ...(node !== "" && { node }) };
  return { to: "/manager/updatepeer/$type", params: { type }, search } as const;
}

/** The screen of a deployment, running or finished. */
export function deploymentLink(type: DeploymentType, node: string, taskID: string) {
  const search = { node, step: "awaitingDeployment", task: taskID } as const;
  return { to: "/manager/updatepeer/$type", params: { type }, search } as const;
}

/** Links to the contact form, which then names the task. @param taskID "unknown" if the server created no task. */
export function contactLink(taskID: string) {
  const about = taskID === "unknown" ? undefined : taskID;
  return { to: "/manager", search: { view: "contact", about } } as const;
}
