import type { Dispatch } from "react";
import { addressFamilies, type YesNo } from "../../../../contract/entities.ts";
import type { FormStep } from "../../../../contract/screens.ts";
import {
  isFieldRequired,
  isFieldShown,
  type PeerForm,
  toPeerUpdate,
  type TypedField,
} from "../../../../domain/peering/peer-form.ts";
import { useProvider } from "../../../api/provider.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { RadioGroup, type RadioOption } from "../../../ui/forms/radio-group.tsx";
import { KeyValueList } from "../../../ui/text/key-value-list.tsx";
import { ValueOrPlaceholder } from "../../../ui/text/copy-text.tsx";
import { SelectNodeStep } from "./select-node-step.tsx";
import { fieldErrorText, type WizardAction, type WizardState } from "./wizard-state.ts";

export interface StepContentProps {
  readonly username: string;
  readonly step: FormStep;
  readonly state: WizardState;
  readonly dispatch: Dispatch<WizardAction>;
}

export function StepContent({ username, step, state, dispatch }: StepContentProps) {
  switch (step) {
    case "selectNode":
      return <SelectNodeStep username={username} chosen={state.form.node} dispatch={dispatch} />;
    case "selectBGPDetails":
      return <BgpDetailsStep state={state} dispatch={dispatch} />;
    case "enterDetails":
      return <EnterDetailsStep state={state} dispatch={dispatch} />;
    case "confirmDetails":
      return <ConfirmStep form={state.form} />;
  }
}

const families = addressFamilies.map((family) => ({ value: family, label: family }));
const answers: readonly RadioOption<YesNo>[] = [
  { value: "Yes", label: "Yes" },
  { value: "No", label: "No" },
];

interface BgpDetailsStepProps {
  readonly state: WizardState;
  readonly dispatch: Dispatch<WizardAction>;
}

function BgpDetailsStep({ state, dispatch }: BgpDetailsStepProps) {
  const { address_family, bgp_extnh, custom_local_ipv6 } = state.form;
  return (
    <>
      <RadioGroup
        legend="Address family"
        options={families}
        value={address_family}
        onChange={(family) => dispatch({ type: "familyChosen", family })}
      />
      {address_family === "Both" && (
        <RadioGroup
          legend="Do you want to use BGP Extended Nexthop?"
          hint="Yes: one session over IPv6 carries both families. No: one session per address family."
          options={answers}
          value={bgp_extnh}
          onChange={(answer) => dispatch({ type: "extendedNextHopChosen", answer })}
        />
      )}
      {(address_family === "IPv6" || address_family === "Both") && (
        <RadioGroup
          legend="Do you want to specify a custom tunnel IPv6 address for our side?"
          hint="If you select No, we will create one for you."
          options={answers}
          value={custom_local_ipv6}
          onChange={(answer) => dispatch({ type: "customLocalIpv6Chosen", answer })}
        />
      )}
      {isFieldShown.local_ipv6(state.form) && (
        <WizardField field="local_ipv6" state={state} dispatch={dispatch} />
      )}
    </>
  );
}

const fields: readonly TypedField[] = ["remote_ip", "remote_port", "public_key", "peer_ipv4", "peer_ipv6"];

interface EnterDetailsStepProps {
  readonly state: WizardState;
  readonly dispatch: Dispatch<WizardAction>;
}

function EnterDetailsStep({ state, dispatch }: EnterDetailsStepProps) {
  return fields
    .filter((field) => isFieldShown[field](state.form))
    .map((field) => <WizardField key={field} field={field} state={state} dispatch={dispatch} />);
}

/** Everything that Submit sends. */
function ConfirmStep({ form }: { readonly form: PeerForm }) {
  const { domain } = useProvider();
  const update = toPeerUpdate(form);
  const entries = [
    ["Node", `${update.node}.${domain}`],
    ["Address family", update.address_family],
    ["Extended Nexthop", update.bgp_extnh],
    ["Public IP or hostname", update.remote_ip],
    ["Port", update.remote_port],
    ["Public key", update.public_key],
    ["IPv4 tunnel address", update.peer_ipv4],
    ["IPv6 tunnel address", update.peer_ipv6],
    ["Our tunnel IPv6", update.local_ipv6],
  ] as const;
  return (
    <KeyValueList
      items={entries.map(([label, value]) => ({ label, value: <ValueOrPlaceholder value={value} /> }))}
    />
  );
}

interface FieldText {
  readonly label: string;
  /** The expected value, in one or two sentences. */
  readonly hint: string;
  readonly placeholder: string;
}

const fieldTexts: Readonly<Record<TypedField, FieldText>> = {
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

interface WizardFieldProps {
  readonly field: TypedField;
  readonly state: WizardState;
  readonly dispatch: Dispatch<WizardAction>;
}

function WizardField({ field, state, dispatch }: WizardFieldProps) {
  const { label, hint, placeholder } = fieldTexts[field];
  return (
    <Field
      label={label}
      name={field}
      hint={hint}
      placeholder={placeholder}
      value={state.form[field]}
      error={fieldErrorText(state, field)}
      required={isFieldRequired[field](state.form)}
      inputMode={field === "remote_port" ? "numeric" : "text"}
      mono
      onChange={(value) => dispatch({ type: "typed", field, value })}
      onBlur={() => dispatch({ type: "blurred", field })}
    />
  );
}
