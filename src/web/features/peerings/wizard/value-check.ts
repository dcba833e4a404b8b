/** Asks the server about the values of the form while it is being filled in. The answers are advice: nothing waits for them. */
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { calls } from "#contract/call-tables/app-calls.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { isFamilyStepComplete, toPeerUpdate } from "#domain/peering/fields/peer-form.ts";
import { typedFields } from "#domain/peering/fields/field-lists.ts";
import { explainInvalidText } from "#domain/peering/peering-rules.ts";
import type { FormFieldError } from "#domain/peering/invalid-field.ts";
import { callOptional } from "#web/api/client.ts";
import { knownFields } from "./submit.ts";
import { type WizardState, withoutSensitiveValues } from "./wizard-state.ts";

/** Fields that are left in quick succession are checked together. */
const debounceMs = 300;

interface CheckResult {
  /** Null if the server has no answer. */
  readonly update: PeerUpdate | null;
  readonly errors: readonly FormFieldError[];
}

const unchecked: CheckResult = { update: null, errors: [] };

function checkQuery(username: string, update: PeerUpdate | null) {
  return queryOptions({
    queryKey: ["value-check", username, update],
    queryFn: async ({ client, signal }): Promise<CheckResult> => {
      if (update === null) return unchecked;
      const errors = await callOptional(client, calls.checkPeerConfig, [{ username }, update], { signal });
      return errors === null ? unchecked : { update, errors: knownFields(errors) };
    },
    enabled: update !== null,
    retry: false,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    placeholderData: keepPreviousData,
  });
}

/**
 * Returns the server's errors for the values that are still in the form, and a function that has the form checked.
 *
 * @param isRestored a form of an earlier visit is checked at once.
 */
export function useValueCheck(
  username: string,
  state: WizardState,
  isRestored: boolean,
): readonly [readonly FormFieldError[], () => void] {
  const [checked, setChecked] = useState<PeerUpdate | null>(null);
  const latest = useRef(state);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const requestCheck = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setChecked(isCheckable(latest.current) ? toCheckedUpdate(latest.current) : null);
    }, debounceMs);
  }, []);
  useEffect(() => {
    latest.current = state;
  }, [state]);
  useEffect(() => {
    if (isRestored) requestCheck();
    return () => clearTimeout(timer.current);
  }, [isRestored, requestCheck]);
  const { data = unchecked } = useQuery(checkQuery(username, checked));
  return [currentErrors(data, state), requestCheck];
}

function isCheckable({ form }: WizardState): boolean {
  return form.node !== "" && isFamilyStepComplete(form);
}

/** What is sent to be checked: an invalid value is left empty. */
function toCheckedUpdate(state: WizardState): PeerUpdate {
  const form = withoutSensitiveValues(state);
  const invalid = typedFields.filter((field) => explainInvalidText(field, form[field]) !== null);
  const update = toPeerUpdate(form, state.setOptions);
  return {
    ...update,
    ...Object.fromEntries(invalid.filter((field) => field in update).map((field) => [field, ""])),
  };
}

/**
 * The errors of values that have not changed since the check. All of them are about one node. The error of an empty
 * value is about nothing that the participant has entered.
 */
function currentErrors({ update, errors }: CheckResult, state: WizardState): readonly FormFieldError[] {
  if (update === null || !isCheckable(state)) return [];
  const current = toCheckedUpdate(state);
  if (current.node !== update.node) return [];
  return errors.filter(({ field }) => current[field] !== "" && current[field] === update[field]);
}
