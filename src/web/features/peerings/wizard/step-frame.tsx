import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode, SubmitEvent } from "react";
import type { FormStep, FormType } from "#contract/app/screens.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { Page } from "#web/ui/layout/page.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { stepsOf } from "./steps.ts";

export interface StepFrameProps {
  readonly type: FormType;
  readonly step: FormStep;
  /** The node that is edited, or chosen for a new peering. */
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

/** One step: its position, its content, and the buttons Cancel, Back and Next or Submit. */
export function StepFrame({ type, step, node, children, forward, onBack, onCancel }: StepFrameProps) {
  const nodeHost = useNodeHost();
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
            task={taskText(type, node === "" ? "" : nodeHost(node))}
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

function taskText(type: FormType, host: string): string {
  if (type === "edit") return `Change the peering on ${host}`;
  return host === "" ? "Create new peering" : `Create new peering on ${host}`;
}

interface StepProgressProps {
  /** The purpose of the steps: "Create new peering on syd01.example.net". */
  readonly task: string;
  /** The current step, counted from 1. */
  readonly position: number;
  readonly count: number;
}

function StepProgress({ task, position, count }: StepProgressProps) {
  return (
    <chakra.div mb="4">
      <chakra.div display="flex" gap="1" mb="2" aria-hidden>
        {Array.from({ length: count }, (_, index) => (
          <chakra.span
            key={index}
            flex="1"
            height="1"
            borderRadius="full"
            bg={index < position ? "accent" : "bg.muted"}
          />
        ))}
      </chakra.div>
      <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        {/* Without a line break inside the last part. */}
        {`${task} · Step\u00A0${position}\u00A0of\u00A0${count}`}
      </chakra.p>
    </chakra.div>
  );
}
