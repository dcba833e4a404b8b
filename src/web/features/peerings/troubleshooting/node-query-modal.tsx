/**
 * A query to a node whose response the participant waits for in a modal.
 *
 * Invariants: closing the modal aborts the request; the response of an aborted request is never shown; every start
 * sends a new request.
 */
import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { CallError, noReasonGiven } from "#contract/client.ts";
import { errorMessage } from "#web/api/client.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { Modal } from "#web/ui/layout/modal.tsx";
import { PlainOutput } from "#web/ui/text/code-block.tsx";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";

export type QueryState<T> =
  | { readonly status: "waiting" }
  | { readonly status: "success"; readonly response: T }
  | { readonly status: "failed"; readonly error: unknown };

export interface NodeQuery<T> {
  /** The button that opens the modal. The focus returns to it. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly open: boolean;
  readonly state: QueryState<T>;
  /** Opens the modal and sends the request. */
  readonly start: () => void;
  /** Closes the modal and aborts a pending request. */
  readonly close: () => void;
}

export function useNodeQuery<T>(send: (signal: AbortSignal) => Promise<T>): NodeQuery<T> {
  const [open, setOpen] = useState(false);
  const [state, setState] = useState<QueryState<T>>({ status: "waiting" });
  const button = useRef<HTMLButtonElement>(null);
  // A mutation, because the mutation cache handles an expired login session.
  const { mutateAsync } = useMutation({ mutationFn: send });
  const pending = useRef<AbortController | null>(null);
  useEffect(() => () => pending.current?.abort(), []);

  const start = () => {
    pending.current?.abort();
    const { signal } = (pending.current = new AbortController());
    const settle = (settled: QueryState<T>) => {
      if (!signal.aborted) setState(settled);
    };
    setState({ status: "waiting" });
    setOpen(true);
    mutateAsync(signal).then(
      (response) => settle({ status: "success", response }),
      (error: unknown) => settle({ status: "failed", error }),
    );
  };
  const close = () => {
    pending.current?.abort();
    setOpen(false);
  };
  return { button, open, state, start, close };
}

export interface NodeQueryModalProps<T> {
  readonly title: string;
  readonly query: NodeQuery<T>;
  /** The label of the loader: "Pinging your router…". */
  readonly waiting: string;
  /** A note below the loader. */
  readonly note?: string;
  /** The heading of an error. */
  readonly failure?: string;
  readonly wide?: boolean;
  readonly children: (response: T) => ReactNode;
}

/** Shows a loader, then the response, or the error and Retry. Cancel, Escape and a click outside abort the request. */
export function NodeQueryModal<T>({
  title,
  query: { button, open, state, start, close },
  waiting,
  note,
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
      returnFocusTo={button}
      footer={
        <>
          <Button onClick={close}>{state.status === "waiting" ? "Cancel" : "Close"}</Button>
          {state.status === "failed" && <Button onClick={start}>Retry</Button>}
        </>
      }
    >
      <VisuallyHidden role="status">{state.status === "success" && "The node has responded."}</VisuallyHidden>
      {state.status === "waiting" && (
        <>
          <Loader label={waiting} />
          {note !== undefined && <chakra.p color="fg.muted">{note}</chakra.p>}
        </>
      )}
      {state.status === "failed" && <QueryError heading={failure} error={state.error} />}
      {state.status === "success" && children(state.response)}
    </Modal>
  );
}

/** The error message, and the router's output if the server sent it along. Some servers send the output alone. */
function QueryError({ heading, error }: { readonly heading: string; readonly error: unknown }) {
  const output = (error instanceof CallError && error.body.output) || "";
  const message = errorMessage(error);
  return (
    <FailedOutput heading={heading} output={output}>
      {output !== "" && message === noReasonGiven ? null : message}
    </FailedOutput>
  );
}

export interface FailedOutputProps {
  readonly heading?: string;
  /** Empty if there is none. */
  readonly output: string;
  readonly children?: ReactNode;
}

export function FailedOutput({ heading = "Failed!", output, children }: FailedOutputProps) {
  return (
    <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
      <Notice tone="error">
        <chakra.strong display="block" fontWeight="semibold">
          {heading}
        </chakra.strong>
        {children}
      </Notice>
      {output !== "" && <NodeOutput text={output} />}
    </chakra.div>
  );
}

export interface NodeOutputProps {
  readonly text: string;
  /** The name for screen readers. */
  readonly label?: string;
}

/** Output of the node in a frame. */
export function NodeOutput({ text, label = "Output" }: NodeOutputProps) {
  return (
    <chakra.div borderWidth="1px" borderRadius="md" minWidth="0">
      <PlainOutput aria-label={label} short>
        {text}
      </PlainOutput>
    </chakra.div>
  );
}
