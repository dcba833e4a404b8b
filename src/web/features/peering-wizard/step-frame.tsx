import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode, SubmitEvent } from "react";
import { useProvider } from "../../api/provider.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { StepProgress } from "./step-progress.tsx";
import type { FormStep, WizardType } from "./step-names.ts";
import { stepsOf } from "./steps.ts";

export interface StepFrameProps {
  readonly type: WizardType;
  readonly step: FormStep;
  /** The node under edit, or the chosen one. */
  readonly node: string;
  readonly children: ReactNode;
  readonly forward: { readonly label: "Next" | "Submit"; readonly enabled: boolean; readonly go: () => void };
  /** Absent on the first step. */
  readonly onBack: (() => void) | undefined;
  readonly onCancel: () => void;
}

const titles: Readonly<Record<FormStep, string>> = {
  selectNode: "Select a node",
  selectBGPDetails: "BGP details",
  enterDetails: "Your details",
  confirmDetails: "Confirm your details",
};

/** One step: where it stands among the others, its content, and Cancel, Back and Next. */
export function StepFrame({ type, step, node, children, forward, onBack, onCancel }: StepFrameProps) {
  const { domain } = useProvider();
  const steps = stepsOf(type);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (forward.enabled) forward.go();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Page
        narrow
        title={titles[step]}
        above={
          <StepProgress
            task={type === "new" ? "Create new peering" : `Change the peering on ${node}.${domain}`}
            position={steps.indexOf(step) + 1}
            count={steps.length}
          />
        }
      >
        <Panel>
          <chakra.div display="grid" gap="6" gridTemplateColumns="minmax(0, 1fr)">
            {children}
          </chakra.div>
        </Panel>
        <chakra.div display="flex" flexWrap="wrap" gap="2">
          <Button tone="quiet" onClick={onCancel} me="auto">
            Cancel
          </Button>
          {onBack && <Button onClick={onBack}>Back</Button>}
          <Button type="submit" tone="primary" disabled={!forward.enabled}>
            {forward.label}
          </Button>
        </chakra.div>
      </Page>
    </form>
  );
}
