import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { CallError } from "../../../contract/client.ts";
import type { Task } from "../../../contract/entities.ts";
import { toPeerUpdate } from "../../../domain/peer-form.ts";
import { call } from "../../api/client.ts";
import { beginTask } from "../../api/tasks.ts";
import { askToNotify } from "../../offline/notifications.ts";
import { markOf } from "./draft.ts";
import type { WizardType } from "./step-names.ts";
import { isPeerUpdateField } from "./steps.ts";
import type { FieldRefusal, WizardState } from "./wizard-state.ts";

/** What a failed submit means: something to mend in the form, or a deployment that never began. */
export type SubmitFault =
  | { readonly kind: "field"; readonly refusal: FieldRefusal }
  | { readonly kind: "conflict"; readonly message: string }
  | { readonly kind: "failure" };

export function faultOf(error: Error): SubmitFault {
  if (!(error instanceof CallError)) return { kind: "failure" };
  const { message, field } = error.failure;
  if (error.status === 409) return { kind: "conflict", message };
  if (error.status === 422 && isPeerUpdateField(field)) return { kind: "field", refusal: { field, message } };
  return { kind: "failure" };
}

export interface SubmitListeners {
  readonly onTask: (task: Task) => void;
  readonly onFault: (fault: SubmitFault) => void;
}

export function useSubmit(
  username: string,
  type: WizardType,
  { onTask, onFault }: SubmitListeners,
): UseMutationResult<Task, Error, WizardState> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ form, generation }: WizardState) => {
      void askToNotify();
      return call(calls.updatePeerConfig, [{ username }, { ...toPeerUpdate(form), generation }]);
    },
    onSuccess: (task, { form }) => {
      beginTask(queryClient, username, type, task, markOf(form));
      onTask(task);
    },
    onError: (error) => onFault(faultOf(error)),
  });
}
