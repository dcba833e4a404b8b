import type { Dispatch, ReactNode } from "react";
import { inputOf, type TypedField } from "#domain/peering/fields/field-lists.ts";
import { peeringFields } from "#domain/peering/fields/peering-fields.ts";
import type { FormFieldError } from "#domain/peering/invalid-field.ts";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import {
  fieldAdvice,
  fieldErrorText,
  isRejected,
  type WizardAction,
  type WizardState,
  withheldKind,
} from "./wizard-state.ts";

export interface WizardFieldProps {
  readonly field: TypedField;
  readonly state: WizardState;
  /** What the server said about the current values. */
  readonly serverErrors: readonly FormFieldError[];
  readonly dispatch: Dispatch<WizardAction>;
  /** Replaces the usual advice where it has none. */
  readonly otherAdvice?: string;
  readonly placeholder?: string;
  readonly trailing?: ReactNode;
}

export function WizardField({
  field,
  state,
  serverErrors,
  dispatch,
  otherAdvice = "",
  placeholder,
  trailing,
}: WizardFieldProps) {
  const input = inputOf(field);
  if (input.inputMode === "checkbox")
    return (
      <Checkbox
        label={peeringFields[field].label}
        hint={input.hint}
        checked={state.form[field] === "Yes"}
        error={fieldErrorText(state, field)}
        onChange={(checked) => dispatch({ type: "typed", field, value: checked ? "Yes" : "" })}
      />
    );
  return (
    <Field
      label={peeringFields[field].label}
      name={field}
      hint={input.hint}
      placeholder={placeholder ?? input.placeholder}
      value={state.form[field]}
      error={fieldErrorText(state, field)}
      advice={fieldAdvice(state, field, serverErrors) || otherAdvice}
      isInvalid={isRejected(state, field, serverErrors)}
      required={input.isRequired(state.form)}
      inputMode={input.inputMode}
      mono
      trailing={trailing}
      isWithheld={(text) => withheldKind(field, text) !== null}
      onChange={(value) => dispatch({ type: "typed", field, value })}
      onBlur={() => dispatch({ type: "blurred", field })}
    />
  );
}
