import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { calls } from "../../../../contract/calls.ts";
import { CallError } from "../../../../contract/client.ts";
import type { Task } from "../../../../contract/entities.ts";
import type { FormType } from "../../../../contract/screens.ts";
import { toPeerUpdate } from "../../../../domain/peering/peer-form.ts";
import { call } from "../../../api/client.ts";
import { requestNotificationPermission } from "../../../browser/notification-permission.ts";
import { trackTask } from "../deployment/task-queries.ts";
import { hashForm } from "./peering-draft.ts";
import { isPeerUpdateField } from "./steps.ts";
import type { FieldRefusal, WizardState } from "./wizard-state.ts";

/** The kinds of failed submit: an invalid field, a conflict, or a deployment that was never created. */
export type SubmitError =
  | { readonly kind: "field"; readonly refusal: FieldRefusal }
  | { readonly kind: "conflict"; readonly message: string }
  | { readonly kind: "failure" };

export function classifySubmitError(error: Error): SubmitError {
  if (!(error instanceof CallError)) return { kind: "failure" };
  const { message, field } = error.body;
  if (error.status === 409) return { kind: "conflict", message };
  if (error.status === 422 && isPeerUpdateField(field)) return { kind: "field", refusal: { field, message } };
  return { kind: "failure" };
}

export interface SubmitHandlers {
  readonly onTask: (task: Task) => void;
  readonly onError: (error: SubmitError) => void;
}

export function useSubmit(
  username: string,
  formType: FormType,
  { onTask, onError }: SubmitHandlers,
): UseMutationResult<Task, Error, WizardState> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ form, generation }: WizardState) => {
      void requestNotificationPermission();
      return call(calls.updatePeerConfig, [{ username }, { ...toPeerUpdate(form), generation }]);
    },
    onSuccess: (task, { form }) => {
      trackTask(queryClient, username, formType, task, hashForm(form));
      onTask(task);
    },
    onError: (error) => onError(classifySubmitError(error)),
  });
}
