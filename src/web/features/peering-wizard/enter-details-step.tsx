import type { Dispatch } from "react";
import { fieldShown, type TypedField } from "../../../domain/peer-form.ts";
import { TypedFieldInput } from "./typed-field.tsx";
import type { WizardAction, WizardState } from "./wizard-state.ts";

const fields: readonly TypedField[] = ["remote_ip", "remote_port", "public_key", "peer_ipv4", "peer_ipv6"];

export interface EnterDetailsStepProps {
  readonly state: WizardState;
  readonly dispatch: Dispatch<WizardAction>;
}

export function EnterDetailsStep({ state, dispatch }: EnterDetailsStepProps) {
  return fields
    .filter((field) => fieldShown[field](state.form))
    .map((field) => <TypedFieldInput key={field} field={field} state={state} dispatch={dispatch} />);
}
