/**
 * What was entered into a wizard that was left without Cancel: browser back and forward, and a later visit, find it
 * again.
 */
import { hashKey, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useEffect, useReducer } from "react";
import type { PeerForm } from "../../../domain/peer-form.ts";
import * as drafts from "../../offline/drafts.ts";
import { useBusy } from "../../pwa/pwa.ts";
import { parseWizardState } from "./kept-state.ts";
import { reduceWizard, type WizardAction, type WizardState } from "./wizard-state.ts";
import type { WizardType } from "./step-names.ts";

export interface DraftOf {
  readonly username: string;
  readonly type: WizardType;
  /** The node under edit; a new peering's node is part of what is entered. */
  readonly node: string;
}

function draftOf({ username, type, node }: DraftOf): drafts.DraftOf {
  return { username, name: ["peering", type, type === "new" ? "" : node] };
}

/** For the route's loader: from then on `readDraft` knows what an earlier visit left. */
export function loadDraft(queryClient: QueryClient, of: DraftOf): Promise<void> {
  return drafts.loadDraft(queryClient, draftOf(of), parseWizardState);
}

export function readDraft(queryClient: QueryClient, of: DraftOf): WizardState | undefined {
  return drafts.readDraft(queryClient, draftOf(of)) as WizardState | undefined;
}

export function dropDraft(queryClient: QueryClient, of: DraftOf): void {
  drafts.dropDraft(queryClient, draftOf(of));
}

/** Tells a form from any other; kept with the deployment that it was submitted for. */
export function markOf(form: PeerForm): string {
  return hashKey([form]);
}

/** Drops the draft of this mark. One that was changed since, here or in another tab, stays. */
export function dropSubmitted(queryClient: QueryClient, of: DraftOf, mark: string): void {
  drafts.dropDraft(queryClient, draftOf(of), (draft) => {
    const state = parseWizardState(draft);
    return state !== null && markOf(state.form) === mark;
  });
}

/** The wizard's state, kept as a draft from the first change on. */
export function useDraft(of: DraftOf, initial: WizardState): readonly [WizardState, Dispatch<WizardAction>] {
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(reduceWizard, initial);
  const { username, type, node } = of;
  useBusy("form", state.form !== initial.form);
  useEffect(() => {
    if (state !== initial) drafts.writeDraft(queryClient, draftOf({ username, type, node }), state);
  }, [queryClient, username, type, node, state, initial]);
  return [state, dispatch];
}
