/** What a person has entered so far, and what the server said to it. One reducer for all steps. */
import type { AddressFamily, PeerConfig, PeerUpdateField, YesNo } from "../../../contract/entities.ts";
import {
  chooseCustomLocalIpv6,
  chooseExtendedNextHop,
  chooseFamily,
  emptyPeerForm,
  fieldRequired,
  fieldRules,
  fromPeerConfig,
  type PeerForm,
  type TypedField,
} from "../../../domain/peer-form.ts";

export interface WizardState {
  readonly form: PeerForm;
  /** Fields that have been left once. */
  readonly touched: readonly TypedField[];
  /** The field that the server refused, until it is changed. */
  readonly refusal: FieldRefusal | null;
  /** The server's words when the peering had changed meanwhile, until the person has chosen a version. */
  readonly conflict: string | null;
  /** Of the config that the form was filled from; 0 for a new peering. */
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
  | { readonly type: "left"; readonly field: TypedField }
  | { readonly type: "refused"; readonly refusal: FieldRefusal }
  | { readonly type: "conflicted"; readonly message: string }
  /** The server's version replaces what was entered. */
  | { readonly type: "theirsTaken"; readonly config: PeerConfig }
  /** What was entered is kept, to replace the server's version of this generation (0: there is none). */
  | { readonly type: "mineKept"; readonly generation: number };

export const newPeering: WizardState = {
  form: emptyPeerForm,
  touched: [],
  refusal: null,
  conflict: null,
  generation: 0,
};

export function editOf(node: string, config: PeerConfig): WizardState {
  return { ...newPeering, form: fromPeerConfig(node, config), generation: config.generation };
}

export function reduceWizard(state: WizardState, action: WizardAction): WizardState {
  const { form } = state;
  switch (action.type) {
    case "nodeChosen":
      return changed(state, "node", { ...form, node: action.node });
    case "familyChosen":
      return changed(state, "address_family", chooseFamily(form, action.family));
    case "extendedNextHopChosen":
      return changed(state, "bgp_extnh", chooseExtendedNextHop(form, action.answer));
    case "customLocalIpv6Chosen":
      return changed(state, "local_ipv6", chooseCustomLocalIpv6(form, action.answer));
    case "typed":
      return changed(state, action.field, { ...form, [action.field]: action.value });
    case "left":
      return {
        ...state,
        // What is pasted often brings blanks along.
        form: { ...form, [action.field]: form[action.field].trim() },
        touched: state.touched.includes(action.field) ? state.touched : [...state.touched, action.field],
      };
    case "refused":
      return { ...state, refusal: action.refusal };
    case "conflicted":
      return { ...state, conflict: action.message };
    case "theirsTaken":
      return editOf(form.node, action.config);
    case "mineKept":
      return { ...state, conflict: null, generation: action.generation };
  }
}

/** What stands beneath a typed field as its error: the server's words, 'Invalid value' once it was left, or nothing. */
export function fieldError({ form, touched, refusal }: WizardState, field: TypedField): string {
  if (refusal?.field === field) return refusal.message;
  if (!touched.includes(field) || fieldRules[field](form[field])) return "";
  return form[field] === "" && !fieldRequired[field](form) ? "" : "Invalid value";
}

function changed(state: WizardState, field: PeerUpdateField, form: PeerForm): WizardState {
  return { ...state, form, refusal: state.refusal?.field === field ? null : state.refusal };
}
