import type { Dispatch } from "react";
import { BgpDetailsStep } from "./bgp-details-step.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { EnterDetailsStep } from "./enter-details-step.tsx";
import { SelectNodeStep } from "./select-node-step.tsx";
import type { FormStep } from "./step-names.ts";
import type { WizardAction, WizardState } from "./wizard-state.ts";

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
