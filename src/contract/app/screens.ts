/** Names in the URLs of the app's screens. The app's routes, the service worker and stored tasks use the same ones. */
import type { Task } from "../entities.ts";

/** What a deployment does to a peering, as `/manager/updatepeer/:type` has it. */
export const deploymentTypes = ["new", "edit", "delete"] as const;
export type DeploymentType = (typeof deploymentTypes)[number];
/** The types that start with a form. */
export type FormType = Exclude<DeploymentType, "delete">;

/** The wizard's steps that have a form. */
export const formSteps = ["selectNode", "selectBGPDetails", "enterDetails", "confirmDetails"] as const;
export type FormStep = (typeof formSteps)[number];

export const wizardSteps = [...formSteps, "awaitingDeployment"] as const;
export type WizardStep = (typeof wizardSteps)[number];

export const overviewTabs = ["status", "details", "troubleshooting", "edit"] as const;
export type OverviewTab = (typeof overviewTabs)[number];

/** The lists of the routes that a node receives. An address with one of them opens it in the tab `troubleshooting`. */
export const receivedTabs = ["all", "refused"] as const;
export type ReceivedTab = (typeof receivedTabs)[number];

/** The screens of `/manager` besides the dashboard. */
export const managerViews = ["nodes", "stats", "contact"] as const;

/** The type of a task that was started on another device. The server does not tell a new peering from an edited one. */
export function deploymentTypeOf(kind: Task["kind"]): DeploymentType {
  return kind === "delete" ? "delete" : "edit";
}

export function taskKindOf(type: DeploymentType): Task["kind"] {
  return type === "delete" ? "delete" : "deploy";
}
