/** The wizard's form and the server's errors for it. One reducer for all steps. Stored as a draft (`peering-draft.ts`). */
import type { AddressFamily, PeerUpdateField, YesNo } from "../../../../contract/entities.ts";
import type { PeerConfig } from "../../../../contract/lenient.ts";
import {
  chooseCustomLocalIpv6,
  chooseExtendedNextHop,
  chooseFamily,
  fieldRules,
  fromPeerConfig,
  isFieldRequired,
  newPeerForm,
  type PeerForm,
  type TypedField,
} from "../../../../domain/peering/peer-form.ts";
import { explainInvalidText } from "../../../../domain/peering/peering-rules.ts";

export interface WizardState {
  readonly form: PeerForm;
  /** Fields that have lost the focus at least once. */
  readonly touched: readonly TypedField[];
  /** The fields that the server rejected, each until the participant changes it. */
  readonly refusals: readonly FieldRefusal[];
  /** The server's message if the peering has changed in the meantime, until the participant chooses a version. */
  readonly conflict: string | null;
  /** Generation of the config that the form was filled from; 0 for a new peering, null if the server has none. */
  readonly generation: number | null;
}

export interface FieldRefusal {
  readonly field: PeerUpdateField;
  readonly message: string;
}

export type WizardAction =
  | { readonly type: "nodeChosen"; readonly node: string }
  | { readonly type: "familyChosen"; readonly family: AddressFamily }
  | { readonly type: "extendedNextHopChosen"; readonly answer: YesNo }
  | { readonly type: "customLocalIpv6Chosen"; readonly answer: YesNo }
  | { readonly type: "typed"; readonly field: TypedField; readonly value: string }
  | { readonly type: "blurred"; readonly field: TypedField }
  | { readonly type: "fieldsRejected"; readonly refusals: readonly FieldRefusal[] }
  | { readonly type: "conflictFound"; readonly message: string }
  /** The server's version replaces the form. */
  | { readonly type: "currentLoaded"; readonly config: PeerConfig }
  /** The form is kept and will replace the server's version of this generation (0: there is none). */
  | { readonly type: "formKept"; readonly generation: number | null };

/** The state of a new peering. */
export const newState: WizardState = {
  form: newPeerForm,
  touched: [],
  refusals: [],
  conflict: null,
  generation: 0,
};

export function fromConfig(node: string, config: PeerConfig): WizardState {
  return { ...newState, form: fromPeerConfig(node, config), generation: config.generation ?? null };
}

export function reduceWizard(state: WizardState, action: WizardAction): WizardState {
  const { form } = state;
  switch (action.type) {
    case "nodeChosen":
      // What the server rejected, it rejected for the previous node.
      return { ...state, form: { ...form, node: action.node }, refusals: [] };
    case "familyChosen":
      return withForm(state, "address_family", chooseFamily(form, action.family));
    case "extendedNextHopChosen":
      return withForm(state, "bgp_extnh", chooseExtendedNextHop(form, action.answer));
    case "customLocalIpv6Chosen":
      return withForm(state, "local_ipv6", chooseCustomLocalIpv6(form, action.answer));
    case "typed":
      return withForm(state, action.field, { ...form, [action.field]: action.value });
    case "blurred":
      return {
        ...state,
        // Pasted values often have spaces around them.
        form: { ...form, [action.field]: form[action.field].trim() },
        touched: state.touched.includes(action.field) ? state.touched : [...state.touched, action.field],
      };
    case "fieldsRejected":
      return { ...state, refusals: action.refusals };
    case "conflictFound":
      return { ...state, conflict: action.message };
    case "currentLoaded":
      return fromConfig(form.node, action.config);
    case "formKept":
      return { ...state, conflict: null, generation: action.generation };
  }
}

/** The error below a field: the server's messages, 'Invalid value' for a touched invalid field, or "". */
export function fieldErrorText({ form, touched, refusals }: WizardState, field: TypedField): string {
  const refused = refusals.filter((refusal) => refusal.field === field);
  if (refused.length > 0) return refused.map(({ message }) => message).join(" ");
  if (!touched.includes(field) || fieldRules[field](form[field])) return "";
  return form[field] === "" && !isFieldRequired[field](form) ? "" : "Invalid value";
}

/**
 * What is known about a field's value besides its error: why it is invalid, or why the server would reject it. Blocks
 * nothing. Empty until the field has lost the focus.
 *
 * @param serverErrors what the server said about the current values.
 */
export function fieldAdvice(
  { form, touched, refusals }: WizardState,
  field: TypedField,
  serverErrors: readonly FieldRefusal[],
): string {
  const isRefused = refusals.some((refusal) => refusal.field === field);
  if (isRefused || !touched.includes(field) || form[field] === "") return "";
  const messages = serverErrors.filter((error) => error.field === field).map(({ message }) => message);
  return explainInvalidText(field, form[field]) ?? messages.join(" ");
}

function withForm(state: WizardState, field: PeerUpdateField, form: PeerForm): WizardState {
  return { ...state, form, refusals: state.refusals.filter((refusal) => refusal.field !== field) };
}
