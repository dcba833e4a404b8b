import type { Dispatch } from "react";
import { addressFamilies, type YesNo } from "../../../contract/entities.ts";
import { fieldShown } from "../../../domain/peer-form.ts";
import { type Choice, ChoiceGroup } from "../../ui/choice-group.tsx";
import { TypedFieldInput } from "./typed-field.tsx";
import type { WizardAction, WizardState } from "./wizard-state.ts";

const families = addressFamilies.map((family) => ({ value: family, label: family }));
const answers: readonly Choice<YesNo>[] = [
  { value: "Yes", label: "Yes" },
  { value: "No", label: "No" },
];

export interface BgpDetailsStepProps {
  readonly state: WizardState;
  readonly dispatch: Dispatch<WizardAction>;
}

export function BgpDetailsStep({ state, dispatch }: BgpDetailsStepProps) {
  const { address_family, bgp_extnh, custom_local_ipv6 } = state.form;
  return (
    <>
      <ChoiceGroup
        legend="Address family"
        choices={families}
        value={address_family}
        onChange={(family) => dispatch({ type: "familyChosen", family })}
      />
      {address_family === "Both" && (
        <ChoiceGroup
          legend="Do you want to use BGP Extended Nexthop?"
          hint="Yes: one session over IPv6 carries both families. No: one session a family."
          choices={answers}
          value={bgp_extnh}
          onChange={(answer) => dispatch({ type: "extendedNextHopChosen", answer })}
        />
      )}
      {(address_family === "IPv6" || address_family === "Both") && (
        <ChoiceGroup
          legend="Do you want to specify a custom tunnel IPv6 address for our side?"
          hint="If you select No, we will create one for you."
          choices={answers}
          value={custom_local_ipv6}
          onChange={(answer) => dispatch({ type: "customLocalIpv6Chosen", answer })}
        />
      )}
      {fieldShown.local_ipv6(state.form) && (
        <TypedFieldInput field="local_ipv6" state={state} dispatch={dispatch} />
      )}
    </>
  );
}
