/** Which of a peering's fields are typed, optional or secret, from the table of fields. */
import type { PeerUpdateField } from "#contract/entities.ts";
import type { PeeringField, TextInput } from "./field-row.ts";
import { peeringFields } from "./peering-fields.ts";

type Fields = typeof peeringFields;

/** The text fields. */
export type TypedField = {
  [Name in PeerUpdateField]: Fields[Name]["input"] extends null ? never : Name;
}[PeerUpdateField];

/** The fields that only some servers have. */
export type PeeringOption = {
  [Name in PeerUpdateField]: Fields[Name] extends { isOption: true } ? Name : never;
}[PeerUpdateField];

/** The values of a request that a field has. */
export type RequestValue = NonNullable<Fields[PeerUpdateField]["request"]>;

/** All fields, in their order. */
export const fieldOrder = Object.keys(peeringFields) as readonly PeerUpdateField[];

/** The text fields, in their order. */
export const typedFields = fieldOrder.filter(isTypedField);

export const peeringOptions = fieldOrder.filter(isPeeringOption);

export function isPeeringOption(field: PeerUpdateField): field is PeeringOption {
  const { isOption }: PeeringField = peeringFields[field];
  return isOption === true;
}

export function isPeerUpdateField(field: string): field is PeerUpdateField {
  return Object.hasOwn(peeringFields, field);
}

export function isTypedField(field: string): field is TypedField {
  return isPeerUpdateField(field) && peeringFields[field].input !== null;
}

/** The text fields with a secret. */
export const secretFields = typedFields.filter(isSecretField);

export function isSecretField(field: PeerUpdateField): boolean {
  const { isSecret }: PeeringField = peeringFields[field];
  return isSecret === true;
}

/** The text input of a field. */
export function inputOf(field: TypedField): TextInput {
  return peeringFields[field].input;
}
