import type { PeerUpdateField } from "#contract/entities.ts";
import { type FormStep, formSteps, type FormType, type WizardStep } from "#contract/app/screens.ts";
import {
  isDetailsStepComplete,
  isFamilyStepComplete,
  type PeerForm,
} from "#domain/peering/fields/peer-form.ts";
import { peeringFields } from "#domain/peering/fields/peering-fields.ts";

const stepOrder: Readonly<Record<FormType, readonly [FormStep, ...FormStep[]]>> = {
  new: formSteps,
  edit: ["selectBGPDetails", "enterDetails", "confirmDetails"],
};

const completeness: Readonly<Record<FormStep, (form: PeerForm) => boolean>> = {
  selectNode: ({ node }) => node !== "",
  selectBGPDetails: isFamilyStepComplete,
  enterDetails: isDetailsStepComplete,
  confirmDetails: () => true,
};

/** The heading of each step. */
export const stepTitles: Readonly<Record<FormStep, string>> = {
  selectNode: "Select a node",
  selectBGPDetails: "BGP details",
  enterDetails: "Your details",
  confirmDetails: "Confirm your details",
};

/** "Step 2 of 4" */
export function describePosition(type: FormType, step: FormStep): string {
  return `Step ${stepOrder[type].indexOf(step) + 1} of ${stepOrder[type].length}`;
}

export function stepsOf(type: FormType): readonly [FormStep, ...FormStep[]] {
  return stepOrder[type];
}

export function isStepComplete(step: FormStep, form: PeerForm): boolean {
  return completeness[step](form);
}

/** The requested step, or the first incomplete step before it. */
export function reachableStep(
  type: FormType,
  form: PeerForm,
  requestedStep: WizardStep | undefined,
): FormStep {
  const [first] = stepOrder[type];
  const path = stepOrder[type].slice(0, stepOrder[type].findIndex((step) => step === requestedStep) + 1);
  return path.find((step) => !completeness[step](form)) ?? path.at(-1) ?? first;
}

/** The step after (1) or before (-1) another; undefined beyond the ends. */
export function neighbourStep(type: FormType, step: FormStep, offset: 1 | -1): FormStep | undefined {
  return stepOrder[type][stepOrder[type].indexOf(step) + offset];
}

/** The first step that has the input of a rejected field; the first of all without one. */
export function stepOfFields(type: FormType, fields: readonly PeerUpdateField[]): FormStep {
  const steps = new Set(fields.map((field) => stepOfField(type, field)));
  return stepOrder[type].find((step) => steps.has(step)) ?? stepOrder[type][0];
}

/** The step that has the input of a rejected field. */
export function stepOfField(type: FormType, field: PeerUpdateField): FormStep {
  const { step } = peeringFields[field];
  return stepOrder[type].includes(step) ? step : stepOrder[type][0];
}
