import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { calls } from "#contract/call-tables/app-calls.ts";
import { CallError, noReasonGiven } from "#contract/client.ts";
import type { FieldError } from "#contract/http-error.ts";
import type { Task } from "#contract/lenient.ts";
import type { FormType } from "#contract/app/screens.ts";
import { toPeerUpdate } from "#domain/peering/fields/peer-form.ts";
import { isPeerUpdateField } from "#domain/peering/fields/field-lists.ts";
import type { FormFieldError } from "#domain/peering/invalid-field.ts";
import { call } from "#web/api/client.ts";
import { acceptsOwnFields } from "#web/api/provider.ts";
import { requestNotificationPermission } from "#web/browser/notification-permission.ts";
import { toTask, trackTask } from "../deployment/task-queries.ts";
import { hashForm } from "./peering-draft.ts";
import type { WizardState } from "./wizard-state.ts";

/**
 * The kinds of failed submit: invalid fields, a peering that has changed in the meantime, one that cannot be deployed at
 * the moment, or a deployment that was never created.
 */
export type SubmitError =
  | { readonly kind: "fields"; readonly refusals: readonly FormFieldError[] }
  | { readonly kind: "conflict"; readonly message: string }
  | { readonly kind: "busy"; readonly message: string }
  | { readonly kind: "failure" };

export function classifySubmitError(type: FormType, error: Error): SubmitError {
  if (!(error instanceof CallError)) return { kind: "failure" };
  const { message, field = "", errors = [{ field, message }] } = error.body;
  const refusals = knownFields(errors);
  // 409 with a field of the form: another AS uses the value.
  if ((error.status === 422 || error.status === 409) && refusals.length > 0)
    return { kind: "fields", refusals };
  // Without a message, it is the failure of the specification.
  if (error.status !== 409 || message === noReasonGiven) return { kind: "failure" };
  // A new peering has no other version, unless the server says that there is one now.
  return type === "edit" || field === "generation"
    ? { kind: "conflict", message }
    : { kind: "busy", message };
}

/** The errors of fields that the form has. */
export function knownFields(errors: readonly FieldError[]): readonly FormFieldError[] {
  return errors.flatMap(({ field, message }) => (isPeerUpdateField(field) ? [{ field, message }] : []));
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
    mutationFn: async ({ form, generation, setOptions }: WizardState) => {
      void requestNotificationPermission();
      const isChecked = generation !== null && acceptsOwnFields(queryClient);
      const update = { ...toPeerUpdate(form, setOptions), ...(isChecked && { generation }) };
      const task = await call(calls.updatePeerConfig, [{ username }, update]);
      return toTask({ taskID: task.taskID, node: form.node, type: formType }, task);
    },
    onSuccess: (task, { form }) => {
      trackTask(queryClient, username, formType, task, hashForm(form));
      onTask(task);
    },
    onError: (error) => onError(classifySubmitError(formType, error)),
  });
}
