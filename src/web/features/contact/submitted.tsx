import { chakra } from "@chakra-ui/react/styled-system";
import { Arrival } from "../../ui/arrival.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

export interface SubmittedProps {
  readonly onAnother: () => void;
}

export function Submitted({ onAnother }: SubmittedProps) {
  return (
    <chakra.div display="grid" gap="4" justifyItems="start">
      <Arrival>
        <Notice tone="success">
          Your message has been submitted. We will get back to you as soon as we can. Thank you
        </Notice>
      </Arrival>
      <Button onClick={onAnother}>Write another message</Button>
    </chakra.div>
  );
}
