import * as v from "valibot";

/** A search parameter that a route drops if it is invalid, as if the URL did not have it. */
export function searchParam<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(v.fallback(v.optional(schema), () => undefined));
}
