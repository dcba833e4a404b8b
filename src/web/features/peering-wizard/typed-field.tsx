import type { Dispatch } from "react";
import { fieldRequired, type TypedField } from "../../../domain/peer-form.ts";
import { Field } from "../../ui/field.tsx";
import { fieldTexts } from "./field-texts.ts";
import { fieldError, type WizardAction, type WizardState } from "./wizard-state.ts";

export interface TypedFieldInputProps {
  readonly field: TypedField;
  readonly state: WizardState;
  readonly dispatch: Dispatch<WizardAction>;
}

export function TypedFieldInput({ field, state, dispatch }: TypedFieldInputProps) {
  const { label, hint, placeholder } = fieldTexts[field];
  return (
    <Field
      label={label}
      name={field}
      hint={hint}
      placeholder={placeholder}
      value={state.form[field]}
      error={fieldError(state, field)}
      required={fieldRequired[field](state.form)}
      inputMode={field === "remote_port" ? "numeric" : "text"}
      mono
      onChange={(value) => dispatch({ type: "typed", field, value })}
      onBlur={() => dispatch({ type: "left", field })}
    />
  );
}
