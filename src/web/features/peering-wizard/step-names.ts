/** What can stand in the address. Without the rules of the form, because every route is known from the start. */
export const formSteps = ["selectNode", "selectBGPDetails", "enterDetails", "confirmDetails"] as const;
export type FormStep = (typeof formSteps)[number];

export const wizardSteps = [...formSteps, "awaitingDeployment"] as const;
export type WizardStep = (typeof wizardSteps)[number];

export type WizardType = "new" | "edit";
