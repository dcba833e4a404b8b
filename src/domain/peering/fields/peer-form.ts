/** The wizard's form (sections 4 and 5 of `docs/behaviour.md`). */
import type { AddressFamily, PeerUpdate, YesNo } from "#contract/entities.ts";
import type { PeerConfig } from "#contract/lenient.ts";
import { isSecretWord } from "../option-rules.ts";
import type { FormChoices } from "./field-row.ts";
import {
  inputOf,
  isPeeringOption,
  type PeeringOption,
  peeringOptions,
  secretFields,
  type TypedField,
  typedFields,
} from "./field-lists.ts";

export type PeerForm = { readonly [Field in TypedField]: string } & FormChoices & {
    readonly node: string;
  };

/** The text fields of the specification. */
const plainFields = typedFields.filter(
  (field): field is Exclude<TypedField, PeeringOption> => !isPeeringOption(field),
);

export const emptyPeerForm: PeerForm = {
  node: "",
  address_family: "",
  bgp_extnh: "",
  custom_local_ipv6: "",
  ...valuesOf(typedFields, () => ""),
};

/** The form of a new peering: the choices that suit most participants, which they can change. */
export const newPeerForm: PeerForm = {
  ...emptyPeerForm,
  address_family: "Both",
  bgp_extnh: "Yes",
  custom_local_ipv6: "No",
};

/** The form with another address family. Values that do not belong to it are cleared. */
export function chooseFamily(form: PeerForm, family: AddressFamily): PeerForm {
  const chosen = { ...form, address_family: family };
  switch (family) {
    case "IPv4":
      return { ...chosen, peer_ipv6: "", custom_local_ipv6: "", local_ipv6: "", bgp_extnh: "" };
    case "IPv6":
      return { ...chosen, peer_ipv4: "", bgp_extnh: "No" };
    case "Both":
      // The "No" of IPv6 was not an answer, so the form asks.
      return form.address_family === "Both" ? chosen : { ...chosen, bgp_extnh: "" };
  }
}

export function chooseExtendedNextHop(form: PeerForm, answer: YesNo): PeerForm {
  return { ...form, bgp_extnh: answer, ...(answer === "Yes" && { peer_ipv4: "" }) };
}

export function chooseCustomLocalIpv6(form: PeerForm, answer: YesNo): PeerForm {
  return { ...form, custom_local_ipv6: answer, ...(answer === "No" && { local_ipv6: "" }) };
}

/** Whether the family step is complete. A custom tunnel IPv6 of the node must be valid if the form shows it. */
export function isFamilyStepComplete(form: PeerForm): boolean {
  if (form.address_family === "") return false;
  if (form.address_family === "Both" && form.bgp_extnh === "") return false;
  const { isShown, isValid } = inputOf("local_ipv6");
  return !isShown(form) || isValid(form.local_ipv6);
}

/** Whether the details step is complete: required fields are valid, optional ones empty or valid. */
export function isDetailsStepComplete(form: PeerForm): boolean {
  return typedFields.every((field) => {
    const { isShown, isValid, isRequired } = inputOf(field);
    return !isShown(form) || isValid(form[field]) || (form[field] === "" && !isRequired(form));
  });
}

/** The options that a form has a value for. */
export function findSetOptions(form: PeerForm): readonly PeeringOption[] {
  return peeringOptions.filter((option) => form[option] !== "");
}

/**
 * The form without the secrets that were entered.
 *
 * @param kept the options that stay as they are instead, so that a restored draft does not remove them
 */
export function withoutSecrets(form: PeerForm, kept: readonly PeeringOption[] = []): PeerForm {
  const entered = secretFields.filter((field) => form[field] !== "" && !isSecretWord(form[field]));
  const stored = entered.map((field) => [field, kept.some((option) => option === field) ? "keep" : ""]);
  return { ...form, ...Object.fromEntries(stored) };
}

/** The form without the options that the server does not announce. An edit leaves them as they are. */
export function withoutOptions(form: PeerForm, announced: readonly string[]): PeerForm {
  const others = peeringOptions.filter((option) => !announced.includes(option));
  return { ...form, ...Object.fromEntries(others.map((option) => [option, ""])) };
}

/**
 * The request body of a complete form. Throws if no address family is chosen.
 *
 * @param setOptions the options that the peering has: without a value in the form, they are removed
 */
export function toPeerUpdate(form: PeerForm, setOptions: readonly PeeringOption[]): PeerUpdate {
  if (form.address_family === "") throw new Error("no address family chosen");
  const sentOptions = peeringOptions.filter(
    (option) => form[option] !== "keep" && (form[option] !== "" || setOptions.includes(option)),
  );
  return {
    node: form.node,
    address_family: form.address_family,
    bgp_extnh: form.address_family === "Both" && form.bgp_extnh === "Yes" ? "Yes" : "No",
    ...Object.fromEntries(sentOptions.map((option) => [option, form[option]])),
    ...valuesOf(plainFields, (field) => (inputOf(field).isShown(form) ? form[field] : "")),
  };
}

/** The form that an edit starts from. */
export function fromPeerConfig(node: string, config: PeerConfig): PeerForm {
  const withIpv6 = config.address_family !== "IPv4";
  return {
    node,
    address_family: config.address_family,
    bgp_extnh: config.address_family === "IPv4" ? "" : config.bgp_extnh,
    custom_local_ipv6: withIpv6 ? (config.local_ipv6 === "" ? "No" : "Yes") : "",
    ...valuesOf(typedFields, (field) => inputOf(field).fromConfig(config)),
  };
}

function valuesOf<Field extends TypedField>(
  fields: readonly Field[],
  valueOf: (field: Field) => string,
): Record<Field, string> {
  return Object.fromEntries(fields.map((field) => [field, valueOf(field)])) as Record<Field, string>;
}
