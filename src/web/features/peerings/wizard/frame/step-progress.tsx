import { chakra } from "@chakra-ui/react/styled-system";
import type { FormStep, FormType } from "#contract/app/screens.ts";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { stepsOf, stepTitles } from "../steps.ts";

/** Bars on a phone, bars with names on a wider screen, and a column beside the step on a wide one. */
const List = chakra("ol", {
  base: {
    display: { base: "flex", xl: "grid" },
    alignContent: "start",
    gap: { base: "1", md: "3", xl: "1" },
    px: { base: "4", md: "5", xl: "3" },
    pt: "4",
    pb: { xl: "4" },
    fontSize: "sm",
    color: "fg.muted",
    "& > li": {
      flex: "1",
      borderColor: "bg.muted",
      borderTopWidth: { base: "4px", xl: "0" },
      borderInlineStartWidth: { xl: "3px" },
      borderRadius: { base: "sm", xl: "0" },
      pt: { md: "1.5", xl: "1" },
      pb: { xl: "1" },
      ps: { xl: "3" },
    },
    "& > .done": { borderColor: "accent" },
    "& > .current": { borderColor: "accent", color: "fg", fontWeight: "medium" },
    mdDown: { "& .name": { srOnly: true } },
  },
});

export interface StepProgressProps {
  readonly type: FormType;
  readonly step: FormStep;
}

/** The names of the steps, with the current one marked. */
export function StepProgress({ type, step }: StepProgressProps) {
  const steps = stepsOf(type);
  const current = steps.indexOf(step);
  return (
    <List aria-label="Steps">
      {steps.map((each, index) => (
        <li key={each} className={index < current ? "done" : index === current ? "current" : undefined}>
          <span className="name" aria-current={index === current ? "step" : undefined}>
            {stepTitles[each]}
            {index < current && <VisuallyHidden> (done)</VisuallyHidden>}
          </span>
        </li>
      ))}
    </List>
  );
}
