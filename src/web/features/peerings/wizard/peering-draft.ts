/** Drafts of the wizard's form. A draft survives navigation and reload; Cancel and a successful deployment remove it. */
import { hashKey, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useEffect, useReducer } from "react";
import * as v from "valibot";
import type { FormType } from "#contract/app/screens.ts";
import { type PeerForm, withoutOptions, withoutSecrets } from "#domain/peering/fields/peer-form.ts";
import {
  fieldOrder,
  peeringOptions,
  type TypedField,
  typedFields,
} from "#domain/peering/fields/field-lists.ts";
import { hasPrivateKeyForm } from "#domain/peering/wireguard-key.ts";
import * as drafts from "#web/browser/drafts.ts";
import { useReloadGuard } from "#web/browser/pwa.ts";
import {
  reduceWizard,
  type WizardAction,
  type WizardDraft,
  type WizardState,
  withoutSensitiveValues,
} from "./wizard-state.ts";

export interface DraftId {
  readonly username: string;
  readonly type: FormType;
  /** The node that is edited. Ignored for a new peering, whose node is part of the form. */
  readonly node: string;
}

function draftKey({ username, type, node }: DraftId): drafts.DraftKey {
  return { username, name: ["peering", type, type === "new" ? "" : node] };
}

/** Loads the draft of an earlier visit, for the route's loader. `readPeeringDraft` returns it from then on. */
export function loadPeeringDraft(queryClient: QueryClient, id: DraftId): Promise<void> {
  return drafts.loadDraft(queryClient, draftKey(id), parseDraft);
}

/** @param announced the options that the server accepts */
export function readPeeringDraft(
  queryClient: QueryClient,
  id: DraftId,
  announced: readonly string[],
): WizardState | undefined {
  const draft = drafts.readDraft(queryClient, draftKey(id)) as WizardDraft | undefined;
  return draft && { ...draft, form: withoutOptions(draft.form, announced), withheld: {} };
}

export function hasPeeringDraft(queryClient: QueryClient, id: DraftId): boolean {
  return drafts.readDraft(queryClient, draftKey(id)) !== undefined;
}

export function deletePeeringDraft(queryClient: QueryClient, id: DraftId): void {
  drafts.deleteDraft(queryClient, draftKey(id));
}

/**
 * Identifies the contents of a form, in memory or on the device, which lacks secrets and a public key that may be a private one.
 * Stored with the deployment that the form was submitted for.
 */
export function hashForm(form: PeerForm): string {
  const entered = withoutSecrets(form);
  // An entered secret and one that stays are the same in a stored draft.
  const stored = { ...entered, ...(entered.preshared_key === "keep" && { preshared_key: "" }) };
  return hashKey([hasPrivateKeyForm(form.public_key) ? { ...stored, public_key: "" } : stored]);
}

/** Removes the draft if its form still has this hash, that is, if no tab has changed it since the submit. */
export function deleteSubmittedDraft(queryClient: QueryClient, id: DraftId, formHash: string): void {
  drafts.deleteDraft(queryClient, draftKey(id), (draft) => {
    const parsed = parseDraft(draft);
    return parsed !== null && hashForm(parsed.form) === formHash;
  });
}

/**
 * The wizard's state. Every change is stored as a draft.
 *
 * @param initial what is stored; an empty form without a draft
 * @param start the first state, if it is another
 */
export function usePeeringDraft(
  id: DraftId,
  initial: WizardState,
  start: WizardState,
): readonly [WizardState, Dispatch<WizardAction>] {
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(reduceWizard, start);
  const { username, type, node } = id;
  useReloadGuard("form", state.form !== initial.form);
  useEffect(() => {
    if (state === initial) return;
    const { withheld: _, ...draft } = state;
    const stored: WizardDraft = { ...draft, form: withoutSensitiveValues(draft, draft.setOptions) };
    drafts.writeDraft(queryClient, draftKey({ username, type, node }), draft, stored);
  }, [queryClient, username, type, node, state, initial]);
  return [state, dispatch];
}

const yesNo = v.picklist(["", "Yes", "No"]);
const typed = Object.fromEntries(typedFields.map((field) => [field, v.optional(v.string(), "")])) as Record<
  TypedField,
  v.OptionalSchema<v.StringSchema<undefined>, "">
>;

const storedForm = v.object({
  node: v.string(),
  address_family: v.picklist(["", "IPv4", "IPv6", "Both"]),
  bgp_extnh: yesNo,
  custom_local_ipv6: yesNo,
  ...typed,
}) satisfies v.GenericSchema<unknown, PeerForm>;

const storedDraft = v.object({
  form: storedForm,
  touched: v.array(v.picklist(typedFields)),
  refusals: v.array(v.object({ field: v.picklist(fieldOrder), message: v.string() })),
  conflict: v.nullable(v.string()),
  generation: v.nullable(v.number()),
  configKey: v.string(),
  setOptions: v.array(v.picklist(peeringOptions)),
  source: v.optional(v.string(), ""),
  reused: v.optional(v.array(v.picklist(fieldOrder)), []),
}) satisfies v.GenericSchema<unknown, WizardDraft>;

/** Parses a stored draft, which another version of the app may have written. Returns null if it is not valid. */
function parseDraft(stored: unknown): WizardDraft | null {
  const parsed = v.safeParse(storedDraft, stored);
  return parsed.success ? parsed.output : null;
}
