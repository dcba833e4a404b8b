import { chakra } from "@chakra-ui/react/styled-system";
import type { Dispatch, ReactNode } from "react";
import { addressFamilies, type YesNo } from "#contract/entities.ts";
import type { FormStep, FormType } from "#contract/app/screens.ts";
import { inputOf } from "#domain/peering/fields/field-lists.ts";
import type { FormFieldError } from "#domain/peering/invalid-field.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { RadioGroup, type RadioOption } from "#web/ui/forms/radio-group.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { DetailsStep } from "./details-step.tsx";
import { SelectNodeStep } from "./node-choice/select-node-step.tsx";
import { WizardField } from "./wizard-field.tsx";
import { publicKeyAdvice, type WizardAction, type WizardState } from "./wizard-state.ts";

export interface StepContentProps {
  readonly username: string;
  readonly type: FormType;
  readonly step: FormStep;
  readonly state: WizardState;
  /** What the server said about the current values. */
  readonly serverErrors: readonly FormFieldError[];
  readonly dispatch: Dispatch<WizardAction>;
}

export function StepContent({ username, type, step, ...rest }: StepContentProps) {
  const { form } = rest.state;
  const keyAdvice = publicKeyAdvice(rest.state);
  switch (step) {
    case "selectNode":
      return (
        <SelectNodeStep
          username={username}
          chosen={form.node}
          isRefused={rest.state.refusals.some(({ field }) => field === "node")}
          dispatch={rest.dispatch}
        />
      );
    case "selectBGPDetails":
      return <BgpDetailsStep {...rest} />;
    case "enterDetails":
      return <DetailsStep username={username} {...rest} />;
    case "confirmDetails":
      return (
        <>
          {keyAdvice !== "" && <Notice tone="warning">Public key: {keyAdvice}</Notice>}
          <ConfirmStep username={username} type={type} state={rest.state} serverErrors={rest.serverErrors} />
        </>
      );
  }
}

const families = addressFamilies.map((family) => ({ value: family, label: family }));
const answers: readonly RadioOption<YesNo>[] = [
  { value: "Yes", label: "Yes" },
  { value: "No", label: "No" },
];

type BgpDetailsStepProps = Pick<StepContentProps, "state" | "serverErrors" | "dispatch">;

function BgpDetailsStep({ state, serverErrors, dispatch }: BgpDetailsStepProps) {
  const { address_family, bgp_extnh, custom_local_ipv6 } = state.form;
  return (
    <>
      <RadioGroup
        legend="Address family"
        hint={address_family === "" ? <Missing>Choose one to continue.</Missing> : undefined}
        options={families}
        value={address_family}
        onChange={(family) => dispatch({ type: "familyChosen", family })}
      />
      {address_family === "Both" && (
        <RadioGroup
          legend="Do you want to use BGP Extended Nexthop?"
          hint={
            <>
              Yes: one session over IPv6 carries both families. No: one session per address family.
              {bgp_extnh === "" && <Missing>Choose Yes or No to continue.</Missing>}
            </>
          }
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
      {inputOf("local_ipv6").isShown(state.form) && (
        <WizardField field="local_ipv6" state={state} serverErrors={serverErrors} dispatch={dispatch} />
      )}
    </>
  );
}

/** Why Next is disabled, below the question. */
function Missing({ children }: { readonly children: ReactNode }) {
  return (
    <chakra.span display="block" color="down">
      {children}
    </chakra.span>
  );
}
