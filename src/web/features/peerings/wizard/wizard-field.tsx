import type { Dispatch, ReactNode } from "react";
import { isFieldRequired, type TypedField } from "../../../../domain/peering/peer-form.ts";
import { Field } from "../../../ui/forms/field.tsx";
import {
  fieldAdvice,
  fieldErrorText,
  type FieldRefusal,
  type WizardAction,
  type WizardState,
  withheldKind,
} from "./wizard-state.ts";

interface FieldText {
  readonly label: string;
  /** The expected value, in one or two sentences. */
  readonly hint: string;
  readonly placeholder: string;
}

export const fieldTexts: Readonly<Record<TypedField, FieldText>> = {
  remote_ip: {
    label: "Public IP or hostname",
    hint: "Where your router can be reached on the Internet: an IPv4 address or hostname.",
    placeholder: "router.example.org",
  },
  remote_port: {
    label: "Port",
    hint: "The UDP port your WireGuard listens on, from 1 to 65535.",
    placeholder: "51820",
  },
  peer_ipv4: {
    label: "IPv4 tunnel address",
    hint: "Your IPv4 address in the tunnel, without a prefix length.",
    placeholder: "172.20.0.1",
  },
  peer_ipv6: {
    label: "IPv6 tunnel address",
    hint: "Your IPv6 address in the tunnel, without a prefix length. Link-local is preferred.",
    placeholder: "fe80::1",
  },
  local_ipv6: {
    label: "Enter the IPv6 address (link-local preferred):",
    hint: "Our IPv6 address in the tunnel, without a prefix length. Leave empty and we choose one.",
    placeholder: "fe80::2",
  },
  public_key: {
    label: "Public key",
    hint: "Your WireGuard public key as printed by 'wg pubkey': 44 characters ending in '='.",
    placeholder: "",
  },
};

/** The fields of the details step, in its order. */
export const detailFields = [
  "remote_ip",
  "remote_port",
  "public_key",
  "peer_ipv4",
  "peer_ipv6",
] as const satisfies readonly TypedField[];

export interface WizardFieldProps {
  readonly field: TypedField;
  readonly state: WizardState;
  /** What the server said about the current values. */
  readonly serverErrors: readonly FieldRefusal[];
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
  const texts = fieldTexts[field];
  return (
    <Field
      label={texts.label}
      name={field}
      hint={texts.hint}
      placeholder={placeholder ?? texts.placeholder}
      value={state.form[field]}
      error={fieldErrorText(state, field)}
      advice={fieldAdvice(state, field, serverErrors) || otherAdvice}
      required={isFieldRequired[field](state.form)}
      inputMode={field === "remote_port" ? "numeric" : "text"}
      mono
      trailing={trailing}
      isWithheld={(text) => withheldKind(field, text) !== null}
      onChange={(value) => dispatch({ type: "typed", field, value })}
      onBlur={() => dispatch({ type: "blurred", field })}
    />
  );
}
