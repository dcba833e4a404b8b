import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { CallError } from "../../../contract/client.ts";
import { toldBy } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PlainOutput } from "../../ui/plain-output.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import type { NodeQuery } from "./use-node-query.ts";

export interface NodeQueryModalProps<T> {
  readonly title: string;
  readonly query: NodeQuery<T>;
  /** What is being waited for: "Pinging your router…". */
  readonly waiting: string;
  /** Stands below the loader. */
  readonly meanwhile?: string;
  /** What is said first when there is no answer. */
  readonly failure?: string;
  readonly wide?: boolean;
  readonly children: (answer: T) => ReactNode;
}

/** Asks the node, waits, and shows what it said. Cancel, Escape and a press outside give the question up. */
export function NodeQueryModal<T>({
  title,
  query: { button, open, asked, close },
  waiting,
  meanwhile,
  failure = "Failed!",
  wide = false,
  children,
}: NodeQueryModalProps<T>) {
  return (
    <Modal
      title={title}
      open={open}
      onClose={close}
      wide={wide}
      returnTo={button}
      footer={<Button onClick={close}>{asked.status === "waiting" ? "Cancel" : "Close"}</Button>}
    >
      <VisuallyHidden role="status">{asked.status === "answered" && "The node has answered."}</VisuallyHidden>
      {asked.status === "waiting" && (
        <>
          <Loader label={waiting} />
          {meanwhile !== undefined && <chakra.p color="fg.muted">{meanwhile}</chakra.p>}
        </>
      )}
      {asked.status === "failed" && <Failure first={failure} error={asked.error} />}
      {asked.status === "answered" && children(asked.answer)}
    </Modal>
  );
}

/** What went wrong, and what the router printed about it where the server passed that on. */
function Failure({ first, error }: { readonly first: string; readonly error: unknown }) {
  const output = error instanceof CallError ? error.failure.output : undefined;
  return (
    <FailedOutput first={first} output={output}>
      {toldBy(error)}
    </FailedOutput>
  );
}

export interface FailedOutputProps {
  readonly first?: string;
  readonly output: string | undefined;
  readonly children?: ReactNode;
}

export function FailedOutput({ first = "Failed!", output = "", children }: FailedOutputProps) {
  return (
    <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
      <Notice tone="error">
        <chakra.strong display="block" fontWeight="semibold">
          {first}
        </chakra.strong>
        {children}
      </Notice>
      {output !== "" && <NodeOutput text={output} />}
    </chakra.div>
  );
}

/** What the node printed, in a frame. */
export function NodeOutput({ text }: { readonly text: string }) {
  return (
    <chakra.div borderWidth="1px" borderRadius="md" minWidth="0">
      <PlainOutput aria-label="Output" short>
        {text}
      </PlainOutput>
    </chakra.div>
  );
}
