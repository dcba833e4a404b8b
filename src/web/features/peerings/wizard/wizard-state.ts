/** The wizard's form and the server's errors for it. One reducer for all steps. Stored as a draft (`peering-draft.ts`). */
import type { AddressFamily, PeerConfig, PeerUpdateField, YesNo } from "../../../../contract/entities.ts";
import {
  chooseCustomLocalIpv6,
  chooseExtendedNextHop,
  chooseFamily,
  emptyPeerForm,
  isFieldRequired,
  fieldRules,
  fromPeerConfig,
  type PeerForm,
  type TypedField,
} from "../../../../domain/peering/peer-form.ts";

export interface WizardState {
  readonly form: PeerForm;
  /** Fields that have lost the focus at least once. */
  readonly touched: readonly TypedField[];
  /** The field that the server rejected, until the participant changes it. */
  readonly refusal: FieldRefusal | null;
  /** The server's message if the peering has changed in the meantime, until the participant chooses a version. */
  readonly conflict: string | null;
  /** Generation of the config that the form was filled from; 0 for a new peering. */
  readonly generation: number;
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
  | { readonly type: "fieldRejected"; readonly refusal: FieldRefusal }
  | { readonly type: "conflictFound"; readonly message: string }
  /** The server's version replaces the form. */
  | { readonly type: "currentLoaded"; readonly config: PeerConfig }
  /** The form is kept and will replace the server's version of this generation (0: there is none). */
  | { readonly type: "formKept"; readonly generation: number };

export const emptyState: WizardState = {
  form: emptyPeerForm,
  touched: [],
  refusal: null,
  conflict: null,
  generation: 0,
};

export function fromConfig(node: string, config: PeerConfig): WizardState {
  return { ...emptyState, form: fromPeerConfig(node, config), generation: config.generation };
}

export function reduceWizard(state: WizardState, action: WizardAction): WizardState {
  const { form } = state;
  switch (action.type) {
    case "nodeChosen":
      return withForm(state, "node", { ...form, node: action.node });
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
    case "fieldRejected":
      return { ...state, refusal: action.refusal };
    case "conflictFound":
      return { ...state, conflict: action.message };
    case "currentLoaded":
      return fromConfig(form.node, action.config);
    case "formKept":
      return { ...state, conflict: null, generation: action.generation };
  }
}

/** The error below a field: the server's message, 'Invalid value' for a touched invalid field, or "". */
export function fieldErrorText({ form, touched, refusal }: WizardState, field: TypedField): string {
  if (refusal?.field === field) return refusal.message;
  if (!touched.includes(field) || fieldRules[field](form[field])) return "";
  return form[field] === "" && !isFieldRequired[field](form) ? "" : "Invalid value";
}

function withForm(state: WizardState, field: PeerUpdateField, form: PeerForm): WizardState {
  return { ...state, form, refusal: state.refusal?.field === field ? null : state.refusal };
}
