import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";
import { Button } from "#web/ui/forms/button.tsx";
import type { NodeQuery } from "./node-query-modal.tsx";

/** What is said beside a button: what it does, or why it cannot be used or does not help. */
export interface Advice {
  readonly text: string;
  readonly isUnavailable?: boolean;
}

export interface QueryButtonProps<T> {
  readonly query: NodeQuery<T>;
  readonly onStart?: () => void;
  readonly advice?: Advice | null;
  readonly children: string;
}

/** A button that cannot be used stays focusable, so that keyboards and screen readers reach the reason. */
export function QueryButton<T>({
  query: { button, start },
  onStart = start,
  advice = null,
  children,
}: QueryButtonProps<T>) {
  const adviceId = useId();
  const isUnavailable = advice?.isUnavailable === true;
  const control = (
    <Button
      ref={button}
      onClick={() => {
        if (!isUnavailable) onStart();
      }}
      aria-haspopup="dialog"
      aria-disabled={isUnavailable || undefined}
      aria-describedby={advice ? adviceId : undefined}
    >
      {children}
    </Button>
  );
  if (!advice) return control;
  return (
    <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1" width="full">
      {control}
      <chakra.p id={adviceId} flex="1 1 11rem" fontSize="sm" color="fg.muted">
        {advice.text}
      </chakra.p>
    </chakra.div>
  );
}
