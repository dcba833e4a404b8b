/** The wizard's form and the server's errors for it. One reducer for all steps. Stored as a draft (`peering-draft.ts`). */
import type { AddressFamily, PeerUpdateField, YesNo } from "#contract/entities.ts";
import type { PeerConfig } from "#contract/lenient.ts";
import {
  chooseCustomLocalIpv6,
  chooseExtendedNextHop,
  chooseFamily,
  findSetOptions,
  fromPeerConfig,
  newPeerForm,
  type PeerForm,
  withoutOptions,
  withoutSecrets,
} from "#domain/peering/fields/peer-form.ts";
import {
  inputOf,
  isSecretField,
  type PeeringOption,
  type TypedField,
  typedFields,
} from "#domain/peering/fields/field-lists.ts";
import { typedAmong } from "#domain/peering/fields/reuse-peering.ts";
import { explainInvalidText } from "#domain/peering/peering-rules.ts";
import { hasPrivateKeyForm } from "#domain/peering/wireguard-key.ts";
import { findWithheld, type WithheldKind, withheldTexts } from "#domain/secrets/withheld-value.ts";
import type { FormFieldError } from "#domain/peering/invalid-field.ts";

export interface WizardState {
  readonly form: PeerForm;
  /** Fields that have lost the focus at least once. */
  readonly touched: readonly TypedField[];
  /** The fields that the server rejected, each until the participant changes it. */
  readonly refusals: readonly FormFieldError[];
  /** The server's message if the peering has changed in the meantime, until the participant chooses a version. */
  readonly conflict: string | null;
  /** Generation of the config that the form was filled from; 0 for a new peering, null if the server sends none. */
  readonly generation: number | null;
  /** The public key that the form was filled with, and which is no private one; "" without one. */
  readonly configKey: string;
  /** The options that the peering has. */
  readonly setOptions: readonly PeeringOption[];
  /** The node of the peering whose values the form has taken over; "" if there is none. */
  readonly source: string;
  /** The fields that still have the values that were filled in for the participant. */
  readonly reused: readonly PeerUpdateField[];
  /** Why a field refused its last text, until the field accepts a text. Not part of the draft. */
  readonly withheld: Readonly<Partial<Record<PeerUpdateField, WithheldKind | null>>>;
}

/** The part of the state that is stored. */
export type WizardDraft = Omit<WizardState, "withheld">;

export type WizardAction =
  | { readonly type: "nodeChosen"; readonly node: string }
  | { readonly type: "familyChosen"; readonly family: AddressFamily }
  | { readonly type: "extendedNextHopChosen"; readonly answer: YesNo }
  | { readonly type: "customLocalIpv6Chosen"; readonly answer: YesNo }
  | { readonly type: "typed"; readonly field: TypedField; readonly value: string }
  | { readonly type: "blurred"; readonly field: TypedField }
  /** The values of another peering replace the form. */
  | {
      readonly type: "reused";
      readonly source: string;
      readonly form: PeerForm;
      readonly fields: readonly PeerUpdateField[];
    }
  /** Values of several fields at once: of a pasted text, or those before it. */
  | {
      readonly type: "filled";
      readonly values: Readonly<Partial<Record<TypedField, string>>>;
      readonly touched: readonly TypedField[];
      /** The public key if it is known to be one. */
      readonly configKey: string;
    }
  | { readonly type: "fieldsRejected"; readonly refusals: readonly FormFieldError[] }
  | { readonly type: "conflictFound"; readonly message: string }
  /** The server's version replaces the form. */
  | { readonly type: "currentLoaded"; readonly config: PeerConfig; readonly announced: readonly string[] }
  /** The participant keeps the form. Submit then replaces this generation of the peering (0: it was deleted). */
  | {
      readonly type: "formKept";
      readonly generation: number | null;
      readonly setOptions: readonly PeeringOption[];
    };

/** The state of a new peering. */
export const newState: WizardState = {
  form: newPeerForm,
  touched: [],
  refusals: [],
  conflict: null,
  generation: 0,
  configKey: "",
  setOptions: [],
  source: "",
  reused: [],
  withheld: {},
};

/** @param announced the options that the server accepts */
export function fromConfig(node: string, config: PeerConfig, announced: readonly string[]): WizardState {
  const form = withoutOptions(fromPeerConfig(node, config), announced);
  return {
    ...newState,
    form,
    setOptions: findSetOptions(form),
    generation: config.generation ?? null,
    configKey: config.peer_publickey,
  };
}

export function reduceWizard(state: WizardState, action: WizardAction): WizardState {
  const next = reduceAction(state, action);
  if (action.type === "reused" || next.reused.length === 0) return next;
  return { ...next, reused: next.reused.filter((field) => next.form[field] === state.form[field]) };
}

function reduceAction(state: WizardState, action: WizardAction): WizardState {
  const { form } = state;
  switch (action.type) {
    case "nodeChosen":
      // The server rejected these fields for the previous node.
      return { ...state, form: { ...form, node: action.node }, refusals: [] };
    case "familyChosen":
      return withForm(state, "address_family", chooseFamily(form, action.family));
    case "extendedNextHopChosen":
      return withForm(state, "bgp_extnh", chooseExtendedNextHop(form, action.answer));
    case "customLocalIpv6Chosen":
      return withForm(state, "local_ipv6", chooseCustomLocalIpv6(form, action.answer));
    case "typed":
      return reduceTyped(state, action.field, action.value);
    case "blurred":
      return {
        ...state,
        // Pasted values often have spaces around them.
        form: { ...form, [action.field]: form[action.field].trim() },
        touched: state.touched.includes(action.field) ? state.touched : [...state.touched, action.field],
      };
    case "reused":
      // The server's messages about values that were filled in are shown at once.
      return {
        ...newState,
        form: action.form,
        source: action.source,
        reused: action.fields,
        touched: typedAmong(action.fields),
      };
    case "filled": {
      const { values, touched, configKey } = action;
      const isFilled = (field: string) => Object.hasOwn(values, field);
      return {
        ...state,
        form: { ...form, ...values },
        touched,
        configKey,
        refusals: state.refusals.filter(({ field }) => !isFilled(field)),
        withheld: Object.fromEntries(Object.entries(state.withheld).filter(([field]) => !isFilled(field))),
      };
    }
    case "fieldsRejected":
      return { ...state, refusals: action.refusals };
    case "conflictFound":
      return { ...state, conflict: action.message };
    case "currentLoaded":
      return fromConfig(form.node, action.config, action.announced);
    case "formKept":
      return { ...state, conflict: null, generation: action.generation, setOptions: action.setOptions };
  }
}

/**
 * The error below a field: why its last text was withheld, the server's messages, 'Invalid value' for a touched invalid
 * field, or "".
 */
export function fieldErrorText(
  { form, touched, refusals, withheld }: WizardState,
  field: TypedField,
): string {
  const kind = withheld[field] ?? null;
  if (kind !== null) return withheldTexts[kind];
  const refused = refusals.filter((refusal) => refusal.field === field);
  if (refused.length > 0) return refused.map(({ message }) => message).join(" ");
  const { isValid, isRequired } = inputOf(field);
  if (!touched.includes(field) || isValid(form[field])) return "";
  return form[field] === "" && !isRequired(form) ? "" : "Invalid value";
}

/**
 * What is known about a field's value besides its error: why it is invalid, or why the server would reject it. Blocks
 * nothing. Empty until the field has lost the focus.
 *
 * @param serverErrors what the server said about the current values.
 */
export function fieldAdvice(
  state: WizardState,
  field: TypedField,
  serverErrors: readonly FormFieldError[],
): string {
  const { form, touched, refusals, withheld } = state;
  const isRefused = refusals.some((refusal) => refusal.field === field) || Boolean(withheld[field]);
  if (isRefused || !touched.includes(field) || form[field] === "") return "";
  const messages = serverErrors.filter((error) => error.field === field).map(({ message }) => message);
  return (
    explainInvalidText(field, form[field]) ??
    ((field === "public_key" && publicKeyAdvice(state)) || messages.join(" "))
  );
}

/** Whether the server would reject the field's value, which `fieldAdvice` explains. */
export function isRejected(
  state: WizardState,
  field: TypedField,
  serverErrors: readonly FormFieldError[],
): boolean {
  return (
    fieldAdvice(state, field, serverErrors) !== "" &&
    findProblems(state, serverErrors).some((problem) => problem.field === field)
  );
}

/** Why the server rejected the form's values, or would reject them. */
export function findProblems(
  { form, refusals }: WizardState,
  serverErrors: readonly FormFieldError[],
): readonly FormFieldError[] {
  // The server does not receive a value of these for a check.
  const unusable = typedFields.flatMap((field) => {
    const isUsed = form[field] !== "" && inputOf(field).isShown(form);
    const message = isUsed ? explainInvalidText(field, form[field]) : null;
    return message === null ? [] : [{ field, message }];
  });
  return [...refusals, ...unusable, ...serverErrors];
}

/** A warning about a public key that may be a private one, or "". */
export function publicKeyAdvice(state: WizardState): string {
  return hasDoubtfulKey(state)
    ? "This may be a private key: every private key has this form, and one public key in 16 as well. It is sent by Submit only, and not saved before. Enter the key that 'wg pubkey' prints."
    : "";
}

/**
 * The form as it is stored and checked: without secrets, and without a public key that may be a private one. Only Submit
 * sends them.
 *
 * @param kept the options that a draft keeps as they are, if it cannot contain their new value
 */
export function withoutSensitiveValues(state: WizardDraft, kept: readonly PeeringOption[] = []): PeerForm {
  const form = withoutSecrets(state.form, kept);
  return hasDoubtfulKey(state) ? { ...form, public_key: "" } : form;
}

/** Whether the public key cannot be told from a private one. The key that an edit began with is a public one. */
function hasDoubtfulKey({ form, configKey }: WizardDraft): boolean {
  return form.public_key !== configKey && hasPrivateKeyForm(form.public_key);
}

/** Why a field does not accept a text, or null. */
export function withheldKind(field: TypedField, text: string): WithheldKind | null {
  return findWithheld(text, isKeyField(field));
}

/** Whether a key belongs into the field, so that a key in it is not withheld. */
function isKeyField(field: TypedField): boolean {
  return field === "public_key" || isSecretField(field);
}

/** A withheld text changes nothing, so that neither the draft nor a request contains it. */
function reduceTyped(state: WizardState, field: TypedField, value: string): WizardState {
  const { form } = state;
  const kind = withheldKind(field, value);
  if (kind === null) return withForm(state, field, { ...form, [field]: value });
  // Typed character by character, the rest of the secret is already in the form. A public key may be there.
  const isTyped = !isKeyField(field) && value.length === form[field].length + 1;
  const remaining = isTyped ? { ...form, [field]: "" } : form;
  return { ...state, form: remaining, withheld: { ...state.withheld, [field]: kind } };
}

function withForm(state: WizardState, field: PeerUpdateField, form: PeerForm): WizardState {
  return {
    ...state,
    form,
    refusals: state.refusals.filter((refusal) => refusal.field !== field),
    withheld: { ...state.withheld, [field]: null },
  };
}
