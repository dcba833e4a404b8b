import {
  type ClipboardEvent,
  type Dispatch,
  type DragEvent,
  type RefCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { isTypedField, type TypedField } from "#domain/peering/fields/field-lists.ts";
import { readPlainValue } from "#domain/peering/pasted/plain-value.ts";
import { type PastedText, takeApart } from "#domain/peering/pasted/take-apart.ts";
import { trimPasted } from "#domain/peering/pasted/value-texts.ts";
import type { WizardAction, WizardState } from "../wizard-state.ts";
import { type Fill, hasNews, planFill } from "./plan-fill.ts";
import { useProviderNodes } from "./provider-nodes.ts";
import { type ResolvedRouter, type ResolvedText, resolvePasted } from "./resolve-pasted.ts";

export interface PasteReport extends Fill {
  /** The field that the text was pasted into. */
  readonly field: TypedField;
  readonly text: ResolvedText;
  /** The router that was taken; undefined if there is none, and while the participant chooses. */
  readonly router: ResolvedRouter | undefined;
}

export interface Paste {
  /** Null if there is nothing to report, or the participant has changed one of its fields. */
  readonly report: PasteReport | null;
  readonly handlers: {
    /** React has no event for what a keyboard inserts. */
    readonly ref: RefCallback<HTMLElement>;
    readonly onPasteCapture: (event: ClipboardEvent) => void;
    readonly onDropCapture: (event: DragEvent) => void;
  };
  readonly choose: (router: ResolvedRouter) => void;
  readonly undo: () => void;
  readonly dismiss: () => void;
}

interface PasteOptions {
  readonly username: string;
  readonly state: WizardState;
  /** The text fields that the form shows. */
  readonly shown: readonly TypedField[];
  readonly dispatch: Dispatch<WizardAction>;
}

/**
 * Takes a text apart that is pasted or dropped into a field, or inserted there by the clipboard bar of a phone's keyboard, and
 * fills all fields that it has values for.
 */
export function usePaste({ username, state, shown, dispatch }: PasteOptions): Paste {
  const readNodes = useProviderNodes(username);
  const [report, setReport] = useState<PasteReport | null>(null);
  const latest = useRef({ state, shown });
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    latest.current = { state, shown };
  }, [state, shown]);

  const fill = (field: TypedField, text: ResolvedText, router: ResolvedRouter | undefined) => {
    const plan = planFill(latest.current.state, field, latest.current.shown, router);
    dispatch(plan.action);
    setReport(hasNews(field, text, plan) ? { field, text, router, ...plan } : null);
  };
  const take = async (field: TypedField, pasted: PastedText) => {
    const text = await resolvePasted(pasted);
    fill(field, text, text.routers.length === 1 ? text.routers[0] : undefined);
  };
  const receive = (event: Pick<Event, "preventDefault" | "stopPropagation" | "target">, text: string) => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement) || !isTypedField(target.name)) return;
    const field = target.name;
    const plain = readPlainValue(field, text);
    // The browser pastes it, without line ends. The form trims it when the field is left.
    if (plain === trimPasted(text)) return;
    const pasted = plain === null ? takeApart(text, { nodes: readNodes(), toAscii }) : null;
    if (plain === null && pasted === null) return;
    event.preventDefault();
    event.stopPropagation();
    input.current = target;
    if (plain !== null) dispatch({ type: "typed", field, value: replaceSelection(target, plain) });
    if (pasted !== null) void take(field, pasted);
  };
  const insert = (event: InputEvent) => {
    // A single character is typed.
    if (event.cancelable && (event.data ?? "").length > 1) receive(event, event.data ?? "");
  };
  const leave = () => {
    setReport(null);
    // The pressed button disappears.
    input.current?.focus();
  };
  return {
    report: report !== null && isCurrent(report, state) ? report : null,
    handlers: {
      ref: (element) => {
        element?.addEventListener("beforeinput", insert, { capture: true });
        return () => element?.removeEventListener("beforeinput", insert, { capture: true });
      },
      onPasteCapture: (event) => receive(event, event.clipboardData.getData("text/plain")),
      onDropCapture: (event) => receive(event, event.dataTransfer.getData("text/plain")),
    },
    choose: (router) => {
      if (report) fill(report.field, report.text, router);
      input.current?.focus();
    },
    undo: () => {
      if (report) dispatch(report.undo);
      leave();
    },
    dismiss: leave,
  };
}

function replaceSelection({ value, selectionStart, selectionEnd }: HTMLInputElement, text: string): string {
  const start = selectionStart ?? value.length;
  return value.slice(0, start) + text + value.slice(selectionEnd ?? start);
}

function isCurrent({ after }: PasteReport, { form }: WizardState): boolean {
  return Object.entries(after).every(([name, value]) => isTypedField(name) && form[name] === value);
}

function toAscii(name: string): string | null {
  try {
    return new URL(`https://${name}/`).hostname;
  } catch {
    return null;
  }
}
