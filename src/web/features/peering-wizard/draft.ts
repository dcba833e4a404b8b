/**
 * What was entered into a wizard that was left without Cancel, kept in memory beside the cache of server
 * state: browser back and forward find it again. For the same AS it outlives a session that ran out, but not a
 * logout.
 */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useEffect, useReducer } from "react";
import { reduceWizard, type WizardAction, type WizardState } from "./wizard-state.ts";
import type { WizardType } from "./step-names.ts";

export interface DraftOf {
  readonly username: string;
  readonly type: WizardType;
  /** The node under edit; a new peering's node is part of what is entered. */
  readonly node: string;
}

function keyOf({ username, type, node }: DraftOf): readonly string[] {
  return ["peering-draft", username, type, type === "new" ? "" : node];
}

export function readDraft(queryClient: QueryClient, of: DraftOf): WizardState | undefined {
  return queryClient.getQueryData(keyOf(of));
}

export function dropDraft(queryClient: QueryClient, of: DraftOf): void {
  queryClient.removeQueries({ queryKey: keyOf(of) });
}

function keepDraft(queryClient: QueryClient, of: DraftOf, state: WizardState): void {
  queryClient.setQueryDefaults(["peering-draft"], { gcTime: Infinity });
  queryClient.setQueryData(keyOf(of), state);
}

/** The wizard's state, kept as a draft from the first change on. */
export function useDraft(of: DraftOf, initial: WizardState): readonly [WizardState, Dispatch<WizardAction>] {
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(reduceWizard, initial);
  const { username, type, node } = of;
  useEffect(() => {
    if (state !== initial) keepDraft(queryClient, { username, type, node }, state);
  }, [queryClient, username, type, node, state, initial]);
  return [state, dispatch];
}
