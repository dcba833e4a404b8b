import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, type SubmitEvent, useEffect } from "react";
import type { FormStep, FormType } from "#contract/app/screens.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { Page } from "#web/ui/layout/page.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { describePosition, stepTitles } from "../steps.ts";
import { StepProgress } from "./step-progress.tsx";

export interface StepFrameProps {
  readonly type: FormType;
  readonly step: FormStep;
  /** The node that is edited, or chosen for a new peering. */
  readonly node: string;
  readonly children: ReactNode;
  readonly forward: {
    readonly label: "Next" | "Submit";
    readonly enabled: boolean;
    readonly isPending?: boolean;
    readonly go: () => void;
  };
  /** Another way forward, which is then the main one. */
  readonly shortcut: ReactNode;
  /** Absent on the first step. */
  readonly onBack: (() => void) | undefined;
  readonly onCancel: () => void;
}

/** One step: its position, its content, and the buttons Cancel, Back and Next or Submit. */
export function StepFrame(props: StepFrameProps) {
  const { type, step, node, children, forward, shortcut, onBack, onCancel } = props;
  const nodeHost = useNodeHost();
  const position = describePosition(type, step);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (forward.enabled) forward.go();
  };
  // The effect of `Page`, which runs first, has set the title of the step.
  useEffect(() => {
    document.title = `${position}: ${document.title}`;
  }, [position]);
  return (
    <chakra.form noValidate onSubmit={submit} maxWidth={{ base: "step", xl: "66rem" }}>
      <Page
        title={stepTitles[step]}
        above={
          <chakra.p mb="1" fontSize="sm" color="fg.muted" overflowWrap="anywhere">
            {/* Without a line break inside the last part. */}
            {`${taskText(type, node === "" ? "" : nodeHost(node))} · ${position.replaceAll(" ", "\u00A0")}`}
          </chakra.p>
        }
      >
        <Panel flush>
          <chakra.div
            display="grid"
            gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "13rem minmax(0, 1fr)" }}
          >
            <StepProgress type={type} step={step} />
            <chakra.div
              display="grid"
              alignContent="start"
              gap="6"
              gridTemplateColumns="minmax(0, 1fr)"
              minWidth="0"
              px={{ base: "4", md: "5" }}
              py="4"
              borderInlineStartWidth={{ xl: "1px" }}
            >
              {children}
            </chakra.div>
          </chakra.div>
          <chakra.div
            display="flex"
            flexWrap="wrap"
            justifyContent="flex-end"
            gap="2"
            px={{ base: "4", md: "5" }}
            py="3"
            borderTopWidth="1px"
          >
            <Button tone="quiet" onClick={onCancel} ms="-3.5" me="auto">
              Cancel
            </Button>
            {onBack && <Button onClick={onBack}>Back</Button>}
            {shortcut}
            <Button
              type="submit"
              tone={shortcut ? "plain" : "primary"}
              disabled={!forward.enabled}
              isPending={forward.isPending}
            >
              {forward.label}
            </Button>
          </chakra.div>
        </Panel>
      </Page>
    </chakra.form>
  );
}

function taskText(type: FormType, host: string): string {
  if (type === "edit") return `Change the peering on ${host}`;
  return host === "" ? "Create new peering" : `Create new peering on ${host}`;
}
