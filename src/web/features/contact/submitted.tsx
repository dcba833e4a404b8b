import { chakra } from "@chakra-ui/react/styled-system";
import { useEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

export interface SubmittedProps {
  readonly onAnother: () => void;
}

/** Takes the focus, since the button that had it is gone. */
export function Submitted({ onAnother }: SubmittedProps) {
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => told.current?.focus(), []);
  return (
    <chakra.div display="grid" gap="4" justifyItems="start">
      <chakra.div ref={told} tabIndex={-1} outline="none" width="full">
        <Notice tone="success">
          Your message has been submitted. We will get back to you as soon as we can. Thank you
        </Notice>
      </chakra.div>
      <Button onClick={onAnother}>Write another message</Button>
    </chakra.div>
  );
}
