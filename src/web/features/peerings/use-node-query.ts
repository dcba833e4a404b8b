/**
 * One question to a node that a person waits for in a modal.
 *
 * Invariants: an answer is shown only while nobody has given its question up; giving up aborts the request;
 * every start asks anew.
 */
import { useMutation } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";

export type Asked<T> =
  | { readonly status: "waiting" }
  | { readonly status: "answered"; readonly answer: T }
  | { readonly status: "failed"; readonly error: unknown };

export interface NodeQuery<T> {
  /** Where the focus returns to. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly open: boolean;
  readonly asked: Asked<T>;
  /** Opens the modal and asks. */
  readonly start: () => void;
  /** Closes the modal, and gives up what is still under way. */
  readonly close: () => void;
}

export function useNodeQuery<T>(ask: (signal: AbortSignal) => Promise<T>): NodeQuery<T> {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState<Asked<T>>({ status: "waiting" });
  const button = useRef<HTMLButtonElement>(null);
  // A mutation for the cache's sake, which hears there of a session that has ended.
  const { mutateAsync } = useMutation({ mutationFn: ask });
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const start = () => {
    underWay.current?.abort();
    const mine = new AbortController();
    underWay.current = mine;
    const settle = (outcome: Asked<T>) => {
      if (!mine.signal.aborted) setAsked(outcome);
    };
    setAsked({ status: "waiting" });
    setOpen(true);
    mutateAsync(mine.signal).then(
      (answer) => settle({ status: "answered", answer }),
      (error: unknown) => settle({ status: "failed", error }),
    );
  };
  const close = () => {
    underWay.current?.abort();
    setOpen(false);
  };
  return { button, open, asked, start, close };
}
