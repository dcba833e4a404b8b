import type { PeerUpdateField } from "../../../contract/entities.ts";
import { detailsComplete, familyComplete, type PeerForm } from "../../../domain/peer-form.ts";
import { type FormStep, formSteps, type WizardStep, type WizardType } from "./step-names.ts";

const order: Readonly<Record<WizardType, readonly [FormStep, ...FormStep[]]>> = {
  new: formSteps,
  edit: ["selectBGPDetails", "enterDetails", "confirmDetails"],
};

const complete: Readonly<Record<FormStep, (form: PeerForm) => boolean>> = {
  selectNode: ({ node }) => node !== "",
  selectBGPDetails: familyComplete,
  enterDetails: detailsComplete,
  confirmDetails: () => true,
};

export function stepsOf(type: WizardType): readonly [FormStep, ...FormStep[]] {
  return order[type];
}

export function stepComplete(step: FormStep, form: PeerForm): boolean {
  return complete[step](form);
}

/** The wanted step, or the first one on the way there that is not complete. */
export function reachableStep(type: WizardType, form: PeerForm, wanted: WizardStep | undefined): FormStep {
  const [first] = order[type];
  const way = order[type].slice(0, order[type].findIndex((step) => step === wanted) + 1);
  return way.find((step) => !complete[step](form)) ?? way.at(-1) ?? first;
}

/** The step after (1) or before (-1) another; none beyond the ends. */
export function neighbourStep(type: WizardType, step: FormStep, offset: 1 | -1): FormStep | undefined {
  return order[type][order[type].indexOf(step) + offset];
}

const fieldSteps: Readonly<Record<PeerUpdateField, FormStep>> = {
  node: "selectNode",
  address_family: "selectBGPDetails",
  bgp_extnh: "selectBGPDetails",
  local_ipv6: "selectBGPDetails",
  remote_ip: "enterDetails",
  remote_port: "enterDetails",
  peer_ipv4: "enterDetails",
  peer_ipv6: "enterDetails",
  public_key: "enterDetails",
};

export function isPeerUpdateField(field: string | undefined): field is PeerUpdateField {
  return field !== undefined && field in fieldSteps;
}

/** The step where a refused field can be changed. */
export function stepOfField(type: WizardType, field: PeerUpdateField): FormStep {
  const step = fieldSteps[field];
  return order[type].includes(step) ? step : order[type][0];
}
