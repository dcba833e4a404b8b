/** A text that is nothing but the value of the field that it is pasted into. */
import { inputOf, type TypedField } from "../fields/field-lists.ts";
import { readAddress, readEndpoint, trimPasted } from "./value-texts.ts";

const longestValue = 300;

/**
 * Returns the value without what people copy with it: spaces, line ends, the dot at the end of a hostname, and the
 * brackets, zone or prefix length of an address. Null for any other text.
 */
export function readPlainValue(field: TypedField, text: string): string | null {
  if (text.length > longestValue) return null;
  const value = readValue(field, trimPasted(text));
  return value !== "" && inputOf(field).isValid(value) ? value : null;
}

const addressFields: ReadonlySet<TypedField> = new Set([
  "peer_ipv4",
  "peer_ipv6",
  "local_ipv6",
  "probe_address",
]);

function readValue(field: TypedField, text: string): string {
  if (addressFields.has(field)) return readAddress(text)?.address ?? "";
  if (field !== "remote_ip") return text;
  const { host, port } = readEndpoint(text);
  return port === "" ? host : "";
}
