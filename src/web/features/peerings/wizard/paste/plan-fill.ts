/** What a pasted text changes in the form, and how to undo it. */
import { isTypedField, type TypedField } from "#domain/peering/fields/field-lists.ts";
import type { WizardAction, WizardState } from "../wizard-state.ts";
import type { ResolvedRouter, ResolvedText } from "./resolve-pasted.ts";

type Values = Readonly<Partial<Record<TypedField, string>>>;

export interface Fill {
  /** The values that the form takes. */
  readonly taken: Values;
  /** Fields with a value that this form does not show. */
  readonly unused: readonly TypedField[];
  readonly action: WizardAction;
  readonly undo: WizardAction;
  /** The fields that the report is about, with their new values. */
  readonly after: Values;
}

/**
 * @param field the field that the text was pasted into
 * @param shown the text fields of the form
 * @param router undefined if there is none, or the participant has not chosen one
 */
export function planFill(
  state: WizardState,
  field: TypedField,
  shown: readonly TypedField[],
  router: ResolvedRouter | undefined,
): Fill {
  const found = Object.entries(router?.values ?? {}).filter((entry): entry is [TypedField, string] =>
    isTypedField(entry[0]),
  );
  // In the order of the form.
  const inForm = shown.flatMap((name) => found.filter(([each]) => each === name));
  const taken: Values = Object.fromEntries(inForm);
  const names = inForm.map(([name]) => name);
  const before: Values = Object.fromEntries([field, ...names].map((name) => [name, state.form[name]]));
  const after = { ...before, ...taken };
  const { touched, configKey } = state;
  return {
    taken,
    // A form without the MTU has no use for it, and the participant nothing to do.
    unused: found.map(([name]) => name).filter((name) => !shown.includes(name) && name !== "mtu"),
    action: {
      type: "filled",
      values: after,
      touched: [...new Set([...touched, ...names])],
      // Labelled or computed, it is known to be a public one.
      configKey: taken.public_key ?? configKey,
    },
    undo: { type: "filled", values: before, touched, configKey },
    after,
  };
}

/** Whether the participant has to be told. A lone value of this field, as in "PublicKey = …", was simply pasted. */
export function hasNews(field: TypedField, text: ResolvedText, { taken, unused }: Fill): boolean {
  const [router, ...others] = text.routers;
  const isPlain =
    router?.refused.length === 0 &&
    others.length === 0 &&
    router.convertedName === "" &&
    unused.length === 0 &&
    Object.keys(taken).join() === field;
  return !isPlain || text.hasNode || text.hasPrivateKey || text.hasPresharedKey;
}
